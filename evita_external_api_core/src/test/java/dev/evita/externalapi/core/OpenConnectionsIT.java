// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.push.EventStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket.Listener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSockets and event streams over real sockets. */
@Timeout(60)
final class OpenConnectionsIT {

  private static final String UPGRADE =
      """
      GET /socket HTTP/1.1\r
      Host: localhost\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;
  private static final String EVENTS = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final OpenApi api = new OpenApi();

  private ExternalApiServer start() {
    return start(Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofSeconds(60));
  }

  private ExternalApiServer start(Duration heartbeat, Duration slow, Duration idle) {
    var limits =
        Limits.builder()
            .maxBodyBytes(64 << 10)
            .maxConnections(100)
            .idleTimeout(idle)
            .requestTimeout(idle)
            .heartbeat(heartbeat)
            .slowClientTimeout(slow)
            .build();
    return ExternalApiServer.over(new EmptyEngine())
        .options(ServerOptions.builder().limits(limits).ioThreads(2).workerThreads(2).build())
        .provider(api)
        .withoutDiscovery()
        .start();
  }

  /** The JDK's client, recording messages and the close code. */
  private static final class Socket implements Listener {
    final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    final CompletableFuture<Integer> code = new CompletableFuture<>();
    final java.net.http.WebSocket socket;
    private final StringBuilder part = new StringBuilder();

    Socket(ExternalApiServer server) {
      socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .subprotocols("other", "echo")
              .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/socket"), this)
              .join();
    }

    Socket send(String text) {
      socket.sendText(text, true).join();
      return this;
    }

    @Override
    public CompletionStage<?> onText(
        java.net.http.WebSocket from, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        messages.add(part.toString());
        part.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(java.net.http.WebSocket from, int status, String reason) {
      code.complete(status);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(java.net.http.WebSocket from, Throwable failure) {
      code.completeExceptionally(failure);
    }
  }

  private static void awaitNone(ExternalApiServer server) {
    while (server.pushChannels().count() + server.dispatcher().running() > 0) {
      Thread.onSpinWait();
    }
  }

  // ---- WebSocket ----

  @Test
  void socket_textsOfAllLengths_areEchoed() throws Exception {
    try (var server = start()) {
      var client = new Socket(server);
      assertThat(client.socket.getSubprotocol()).isEqualTo("echo");
      for (var length : new int[] {0, 1, 125, 126, 65_000, 60_000}) {
        client.send("é".repeat(length / 2));
        assertThat(client.messages.take()).isEqualTo("é".repeat(length / 2));
      }
      client.socket.sendClose(1000, "done").join();
      assertThat(client.code.get()).isEqualTo(1000);
      api.closed.acquireUninterruptibly();
      awaitNone(server);
    }
  }

  @ParameterizedTest
  @CsvSource({"4400", "4429", "1011"})
  void socket_closedByServer_sendsTheCode(int code) throws Exception {
    try (var server = start()) {
      var client = new Socket(server).send("close " + code);
      assertThat(client.code.get()).isEqualTo(code);
      awaitNone(server);
    }
  }

  @Test
  void socket_binaryMessage_isReported() throws Exception {
    try (var server = start()) {
      var client = new Socket(server);
      client.socket.sendBinary(ByteBuffer.allocate(10), true).join();
      assertThat(client.code.get()).isEqualTo(1003);
    }
  }

  @Test
  void socket_messageTooLarge_isClosedWith1009() throws Exception {
    try (var server = start()) {
      var client = new Socket(server);
      client.send("x".repeat(100_000));
      assertThat(client.code.get()).isEqualTo(1009);
      awaitNone(server);
    }
  }

  /**
   * A client that is still sending when the server rejects its message is not reset before it can
   * read the reason.
   */
  @Test
  void socket_messageTooLarge_isReadOnAfterTheClose() throws Exception {
    try (var server = start();
        var client = RawClient.connect(server.port()).send(UPGRADE)) {
      api.sockets.take();
      var begun = new byte[100_000];
      begun[0] = (byte) 0x81; // a complete text frame
      begun[1] = (byte) 0xFF; // masked, its length in 8 bytes
      ByteBuffer.wrap(begun).putLong(2, 1_000_000);
      client.send(begun);
      assertThat(client.readHead()).startsWith("HTTP/1.1 101");
      client.awaitInput(); // the close frame, which is not read yet
      for (int i = 0; i < 8; i++) {
        client.send(new byte[100_000]);
      }
      assertThat(client.readToEnd()).contains("\u0088", "\u0003\u00f1"); // a close frame, 1009
      awaitNone(server);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "8900, 1002", // a ping that is not masked
    "8a00, 1002",
    "810161, 1002",
    "880203e8, 1002",
    "898000000000 888000000000, 1000", // a good ping, then a close frame without a code
    "888200000000 03f4, 1012",
    "888200000000 1130, 4400",
    "888200000000 03ed, 1002", // 1005 must not be sent
    "818200000000 c328, 1007"
  })
  void socket_invalidFrames_closeWithTheCode(String frames, int code) {
    try (var server = start();
        var client = RawClient.connect(server.port()).send(UPGRADE)) {
      assertThat(client.readHead()).startsWith("HTTP/1.1 101 ");
      client.send(HexFormat.of().parseHex(frames.replace(" ", "")));
      var answer = client.readToEnd();
      var close = answer.indexOf('\u0088');
      assertThat(close).as(answer).isNotNegative();
      assertThat(answer.charAt(close + 2) << 8 | answer.charAt(close + 3)).isEqualTo(code);
    }
  }

  @Test
  void socket_idleBeyondIdleTimeout_staysOpen() throws Exception {
    var shorter = Duration.ofMillis(200);
    try (var server = start(Duration.ofSeconds(2), Duration.ofSeconds(30), shorter)) {
      var client = new Socket(server);
      // Connections without a request, each opened after the socket, show that the timeout is over.
      for (int i = 0; i < 4; i++) {
        try (var idle = RawClient.connect(server.port())) {
          assertThat(idle.readToEnd()).isEmpty();
        }
      }
      client.send("still here");
      assertThat(client.messages.take()).isEqualTo("still here");
    }
  }

  @Test
  void socket_withoutPongs_isDisconnected() {
    try (var server = start(Duration.ofMillis(50), Duration.ofSeconds(30), Duration.ofMinutes(1));
        var client = RawClient.connect(server.port()).send(UPGRADE)) {
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 101");
      awaitNone(server);
    }
  }

  @Test
  void socket_slowConsumer_isDisconnectedAndHoldsOneMessage() throws Exception {
    try (var server = start(Duration.ofMinutes(1), Duration.ofMillis(500), Duration.ofMinutes(1));
        var client = RawClient.connect(server.port()).send(UPGRADE)) {
      var socket = api.sockets.take();
      for (int i = 0; i < 500; i++) {
        socket.offer(OpenApi.text("x".repeat(100_000)));
      }
      api.closed.acquireUninterruptibly();
      awaitNone(server);
      assertThat(client).isNotNull();
    }
  }

  @Test
  void socket_lostWithoutClose_isRemoved() throws Exception {
    try (var server = start()) {
      var client = RawClient.connect(server.port()).send(UPGRADE);
      api.sockets.take();
      client.close();
      api.closed.acquireUninterruptibly();
      awaitNone(server);
    }
  }

  @Test
  void socket_shutdown_isClosedWith1001() throws Exception {
    var server = start();
    var client = new Socket(server);
    api.sockets.take();
    server.close();
    assertThat(client.code.get()).isEqualTo(1001);
    api.closed.acquireUninterruptibly();
  }

  @ParameterizedTest
  @CsvSource({"13,8", "dGhlIHNhbXBsZSBub25jZQ==,short"})
  void socket_invalidUpgrade_returns426(String good, String bad) {
    try (var server = start();
        var client = RawClient.connect(server.port()).send(UPGRADE.replace(good, bad))) {
      var answer = client.read();
      assertThat(answer.status()).isEqualTo(426);
      assertThat(answer.has("Sec-WebSocket-Version: 13")).isTrue();
      assertThat(answer.has("Upgrade: websocket")).isTrue();
      assertThat(answer.has("Connection: Upgrade")).isTrue();
    }
  }

  // ---- events ----

  private static BufferedReader events(ExternalApiServer server, HttpClient.Version version)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create(server.uri() + "/events")).version(version);
    var answer =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValue("text/event-stream; charset=utf-8");
    var reader = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    assertThat(event(reader)).isEqualTo(":|");
    return reader;
  }

  private static String event(BufferedReader reader) throws IOException {
    var event = new StringBuilder();
    for (var line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
      event.append(line).append('|');
    }
    return event.toString();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void events_arriveOneByOne(HttpClient.Version version) throws Exception {
    try (var server = start();
        var reader = events(server, version)) {
      assertThat(event(reader)).isEqualTo("event: next|data: hello|");
      var stream = api.streams.take();
      for (int i = 0; i < 10; i++) {
        stream.offer(OpenApi.event("event " + i));
        assertThat(event(reader)).isEqualTo("event: next|data: event " + i + "|");
      }
      stream.finishAfter(EventStream.event("complete", "7", new byte[0]));
      assertThat(event(reader)).isEqualTo("event: complete|id: 7|data: |");
      assertThat(reader.readLine()).isNull();
      awaitNone(server);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void events_withNothingToSay_showThatTheServerIsThere(HttpClient.Version version)
      throws Exception {
    var shorter = Duration.ofMillis(200);
    try (var server = start(Duration.ofMillis(60), Duration.ofSeconds(30), shorter);
        var reader = events(server, version)) {
      event(reader);
      for (int i = 0; i < 10; i++) {
        assertThat(event(reader)).isEqualTo(":|");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void events_shutdown_end(HttpClient.Version version) throws Exception {
    var server = start();
    try (var reader = events(server, version)) {
      event(reader);
      server.close();
      assertThat(reader.readLine()).isNull();
      api.closed.acquireUninterruptibly();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void events_lostClient_isDetectedImmediately(HttpClient.Version version) throws Exception {
    try (var server = start()) {
      var reader = events(server, version);
      event(reader); // unread bytes would turn the end into a reset, which is detected anyway
      reader.close();
      api.closed.acquireUninterruptibly();
      awaitNone(server);
    }
  }

  @Test
  void events_slowConsumer_isDisconnected() throws Exception {
    try (var server = start(Duration.ofMinutes(1), Duration.ofMillis(500), Duration.ofMinutes(1));
        var client = RawClient.connect(server.port()).send(EVENTS)) {
      var stream = api.streams.take();
      for (int i = 0; i < 500; i++) {
        stream.offer(OpenApi.event("x".repeat(100_000)));
      }
      api.closed.acquireUninterruptibly();
      awaitNone(server);
      assertThat(client).isNotNull();
    }
  }

  @Test
  void events_moreThanWorkers_rejectNoRequests() throws Exception {
    var clients = new ArrayList<RawClient>(); // referenced, as a garbage-collected socket is closed
    try (var server = start()) {
      for (int i = 0; i < 90; i++) {
        clients.add(RawClient.connect(server.port()).send(EVENTS));
        api.streams.take();
      }
      assertThat(server.pushChannels().count()).isEqualTo(90);
    } finally {
      clients.forEach(RawClient::close);
    }
  }
}
