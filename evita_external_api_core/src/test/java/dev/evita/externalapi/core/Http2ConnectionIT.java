// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.tls.TlsOptions;
import dev.evita.http.Http2Connection;
import dev.evita.testsupport.ProcessMemory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2 connections, frame by frame. */
@Timeout(60)
final class Http2ConnectionIT {

  private static final int WINDOW = 65_535;

  /** Streams of 16,000 bytes each, together more than the window of the connection. */
  private static final int MANY = 160;

  /** The window returned, plus the initial grant, if no byte of these streams is retained. */
  private static final long CREDIT =
      Http2Connection.CONNECTION_WINDOW / 2 - WINDOW + MANY * 16_000L;

  /** Each attack sends more, or makes the server retain more. */
  private static final long SPARE_BYTES = 24 << 20;

  private static final int GONE = 4_000;
  private static final long MOST_LEFT_BYTES = 1 << 10;

  private static final int UNREAD = 500;
  private static final long MOST_UNREAD_BYTES = 128 << 10;

  private final CallApi calls = new CallApi();

  private ExternalApiServer start() {
    return start(Limits.DEFAULT.heartbeat());
  }

  private ExternalApiServer start(Duration heartbeat) {
    return start(heartbeat, Limits.DEFAULT.slowClientTimeout());
  }

  private ExternalApiServer start(Duration heartbeat, Duration slow) {
    var limits = Limits.builder().heartbeat(heartbeat).slowClientTimeout(slow).build();
    return ExternalApiServer.over(new EmptyEngine())
        .options(ServerOptions.builder().ioThreads(1).workerThreads(2).limits(limits).build())
        .provider(calls)
        .withoutDiscovery()
        .start();
  }

  private static void assertServes(ExternalApiServer server) {
    try (var other = RawHttp2.connect(server.port(), WINDOW)) {
      other.get("/system/liveness").await("END 1");
    }
  }

  @Test
  void reset_whileResponseAwaitsWindow_isReportedAndOthersContinue() throws Exception {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), 100)) {
      for (int stream = 1; stream < 100; stream += 2) {
        client.call(stream, "/answer").data(stream, 5, false).reset(stream);
        assertThat(calls.broken.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      }
      client.initialWindow(1 << 20).call(101, "/read").data(101, 5, true).await("END 101");
      assertThat(calls.open.get()).isZero();
    }
  }

  @Test
  void initialWindow_raised_resumesResponses() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), 0)) {
      client.get("/system/liveness").ping().await("PING ACK");
      client.initialWindow(WINDOW).await("END 1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/read, application/call, 2",
    "/read, application/call, 99",
    "/read, application/call, abc",
    "/silent, application/call, 2",
    "/silent, application/call, 99",
    "/system/liveness, application/json, 2",
    "/system/liveness, application/json, 99",
    "/system/liveness, application/json, abc",
  })
  void body_notMatchingContentLength_isResetAndOthersContinue(
      String path, String contentType, String length) {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      for (int stream = 1; stream < 20; stream += 2) {
        client.post(stream, path, contentType, length).data(stream, 5, true);
        client.await("RST_STREAM " + stream + " 1");
      }
      client.call(101, "/read").data(101, 5, true).await("END 101");
      assertServes(server);
      assertThat(calls.open.get()).isZero();
    }
  }

  @Test
  void frames_ofStreamResetByServer_areSkippedAndCredited() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      for (int i = 0; i < MANY; i++) {
        var stream = 2 * i + 1;
        client.call(stream, "/reset").await("RST_STREAM " + stream + " 8");
        client.data(stream, 16_000, false);
      }
      client.awaitCredit(CREDIT);
      client.call(1_001, "/read").data(1_001, 5, true).await("END 1001");
    }
  }

  @Test
  void unreadBytes_ofResetStream_areCredited() throws Exception {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      for (int i = 0; i < MANY; i++) {
        client.call(2 * i + 1, "/silent").data(2 * i + 1, 16_000, false).reset(2 * i + 1);
      }
      client.awaitCredit(CREDIT);
      assertThat(calls.broken.tryAcquire(MANY, 20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** The end of only the newest 2,048 streams is recorded. */
  @Test
  void frames_ofStreamEndedLongAgo_areRejectedAndOthersContinue() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.call(1, "/reset").await("RST_STREAM 1 8");
      for (int stream = 3; stream < 2 * 3_000; stream += 2) {
        client.get(stream, "/system/liveness", "localhost", null).await("END " + stream);
      }
      client.data(1, 5, true).await("RST_STREAM 1 5");
      client.call(9_001, "/read").data(9_001, 5, true).await("END 9001");
    }
  }

  /**
   * A stream error, though the RFC allows more: clients that cancel may have sent the frame
   * already.
   */
  @Test
  void frames_ofStreamResetByClient_areRejectedAndOthersContinue() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.call(1, "/silent").reset(1).data(1, 5, true).await("RST_STREAM 1 5");
      client.call(3, "/read").data(3, 5, true).await("END 3");
    }
  }

  @Test
  void goAway_byClient_itsCallsGetResponses() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.call(1, "/read").data(1, 5, false).goAway().ping().await("PING ACK");
      client.data(1, 5, true).await("END 1");
    }
  }

  @Test
  void shutdown_sendsGoAwayEndsCallsAndIgnoresNewOnes() throws Exception {
    try (var server = start()) {
      Thread stopping;
      try (var client = RawHttp2.connect(server.port(), WINDOW)) {
        client.call(1, "/read").data(1, 5, false);
        calls.opened.acquire();
        stopping = Thread.ofPlatform().start(server::close);
        client.await("GOAWAY 1 0");
        for (int stream = 3; stream < 1_900; stream += 2) {
          client.call(stream, "/read").data(stream, 5, true);
        }
        client.ping().await("PING ACK");
        client.data(1, 5, true).await("END 1");
        client.awaitClosed();
        // Frames in the meantime do not end the connection: the client does. They are more bytes
        // than
        // the buffers of both sockets hold, so the server has read most of them when all are sent.
        for (int i = 0; i < 10; i++) {
          client.ping().call(2_001 + 2 * i, "/read");
          for (int j = 0; j < 50; j++) {
            client.unknownFrame(16_384);
          }
        }
        assertThat(stopping.isAlive()).isTrue();
      }
      stopping.join();
      assertThat(calls.broken.availablePermits()).isZero();
      assertThat(calls.opened.availablePermits()).isZero();
    }
  }

  /** The first frame must be SETTINGS, even if only the end follows. */
  @Test
  void shutdown_newConnection_beginsWithSettings() throws Exception {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW);
        var late = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      client.call(1, "/read").data(1, 5, false);
      calls.opened.acquire();
      var stopping = Thread.ofPlatform().start(server::close);
      client.await("GOAWAY 1 0");
      late.getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(ISO_8859_1));
      late.setSoTimeout(10_000);
      var in = new DataInputStream(late.getInputStream());
      var types = new ArrayList<Integer>();
      while (!types.contains(7)) {
        var lengthAndType = in.readInt();
        types.add(lengthAndType & 0xff);
        in.skipNBytes(5 + (lengthAndType >>> 8));
      }
      assertThat(types.getFirst()).isEqualTo(4);
      client.data(1, 5, true).await("END 1");
      stopping.join();
    }
  }

  @Test
  void silentClient_answeringPings_staysConnected() throws IOException {
    try (var server = start(Duration.ofMillis(100));
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.call(1, "/read").awaitPings(10);
      client.data(1, 5, true).await("END 1");
    }
  }

  @Test
  void vanishedClient_isDetected() throws Exception {
    try (var server = start(Duration.ofMillis(100));
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.mute().call(1, "/read").awaitClosed();
      assertThat(calls.broken.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /**
   * Its GOAWAY and the end of TLS arrive together, which Undertow's SslConduit reports as a fault.
   */
  @Test
  void curl_overTls_isServedWithoutLogging() throws Exception {
    var tls = TlsOptions.builder().tlsSelfSigned(true).build();
    try (var fixture = TestServer.start(options -> options.tls(tls));
        var log = new LogRecords()) {
      var url = fixture.server.uri().resolve("/system/liveness").toString();
      for (int i = 0; i < 10; i++) {
        var curl =
            new ProcessBuilder("curl", "-sk", "--http2", "-w", " %{http_version}", url)
                .redirectErrorStream(true)
                .start();
        assertThat(new String(curl.getInputStream().readAllBytes(), ISO_8859_1)).endsWith(" 2");
        assertThat(curl.waitFor()).isZero();
      }
      assertThat(log.messages()).noneMatch(message -> message.startsWith("SEVERE"));
    }
  }

  // ---- attacks ----

  private static void assertLittleMore(long before) {
    assertThat(ProcessMemory.used() - before).isLessThan(SPARE_BYTES);
  }

  @Test
  void silentStreams_atTheLimit_furtherAreRejectedAndOthersServed() throws Exception {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      var before = ProcessMemory.used();
      for (int i = 0; i < Http2Connection.MAX_STREAMS; i++) {
        client.call(2 * i + 1, "/silent").data(2 * i + 1, 1, false);
      }
      var beyond = 2 * Http2Connection.MAX_STREAMS + 1;
      client.call(beyond, "/silent").data(beyond, 1, false).await("RST_STREAM " + beyond + " 7");
      assertThat(calls.opened.availablePermits()).isEqualTo(Http2Connection.MAX_STREAMS);
      assertLittleMore(before);
      assertServes(server);
      client.reset(1).call(beyond + 2, "/read").data(beyond + 2, 1, true);
      client.await("END " + (beyond + 2));
    }
    assertThat(calls.open.get()).isZero();
  }

  @Test
  void clientThatNeverReads_costsLittleAndOthersAreServed() throws Exception {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), 1 << 20)) {
      var before = ProcessMemory.used();
      for (int i = 0; i < UNREAD; i++) {
        client.call(2 * i + 1, "/endless");
      }
      assertThat(calls.opened.tryAcquire(UNREAD, 20, TimeUnit.SECONDS)).isTrue();
      assertServes(server);
      assertThat((ProcessMemory.used() - before) / UNREAD).isLessThan(MOST_UNREAD_BYTES);
    }
    assertThat(calls.broken.tryAcquire(UNREAD, 20, TimeUnit.SECONDS)).isTrue();
  }

  /** Each used to retain kilobytes until one of its timers expired. */
  @Test
  void connections_openedAndClosed_leaveNothing() throws IOException {
    try (var server = start()) {
      comeAndGo(server, 500);
      var before = ProcessMemory.used();
      comeAndGo(server, GONE);
      assertThat((ProcessMemory.used() - before) / GONE).isLessThan(MOST_LEFT_BYTES);
    }
  }

  private static void comeAndGo(ExternalApiServer server, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      try (var http2 = RawHttp2.connect(server.port(), WINDOW)) {
        http2.get("/system/liveness").await("END 1");
      }
      try (var http1 = RawClient.connect(server.port())) {
        http1.send("GET /system/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
      }
      new Socket(InetAddress.getLoopbackAddress(), server.port()).close();
    }
  }

  /** Calls that are answered before their end of stream. */
  @Test
  void calls_openedAndClosed_leaveNothing() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      var before = ProcessMemory.used();
      for (int i = 0; i < GONE; i++) {
        var stream = 2 * i + 1;
        client.call(stream, "/refused").await("END " + stream);
        client.data(stream, 5, true);
      }
      client.ping().await("PING ACK");
      assertThat((ProcessMemory.used() - before) / GONE).isLessThan(MOST_LEFT_BYTES);
    }
  }

  /** Input after the end of the response need not be awaited. */
  @Test
  void unreadEnd_isResetAfterTimeout() {
    try (var server = start(Limits.DEFAULT.heartbeat(), Duration.ofSeconds(1));
        var client = RawHttp2.connect(server.port(), 100)) {
      client.call(1, "/answer").await("RST_STREAM 1 8");
      assertServes(server);
    }
  }

  @Test
  void rapidResets_endTheConnectionAndLeaveNothing() {
    try (var server = start()) {
      var before = ProcessMemory.used();
      for (int sent = 0; sent < 100_000; ) {
        try (var client = RawHttp2.connect(server.port(), 0)) {
          for (int stream = 1; stream < 40_000; stream += 2, sent++) {
            client.call(stream, "/answer").reset(stream);
          }
          client.awaitClosed();
        } catch (UncheckedIOException e) {
          assertServes(server); // it has disconnected this client
        }
      }
      assertServes(server);
      assertLittleMore(before);
    }
    assertThat(calls.open.get()).isZero();
  }

  @Test
  void headWithoutEnd_isDisconnected() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      var before = ProcessMemory.used();
      client.headWithoutEnd(1);
      try {
        for (int i = 0; i < 10_000; i++) {
          client.continuation(1, 100, 100);
        }
        client.awaitClosed();
      } catch (UncheckedIOException e) {
        assertServes(server); // it has disconnected this client
      }
      assertLittleMore(before);
      assertThat(calls.opened.availablePermits()).isZero();
    }
  }

  /** Empty frames do not use up a window. */
  @Test
  void emptyDataFrames_endTheCall() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.call(1, "/read");
      for (int i = 0; i < 200; i++) {
        client.data(1, 0, false);
      }
      client.await("RST_STREAM 1 11");
      client.call(3, "/read").data(3, 5, true).await("END 3");
    }
  }

  /** Each of them may be empty. */
  @Test
  void emptyContinuations_endTheConnection() {
    try (var server = start();
        var client = RawHttp2.connect(server.port(), WINDOW)) {
      client.headWithoutEnd(1);
      for (int i = 0; i < 200; i++) {
        client.continuation(1, 0, 0);
      }
      client.await("GOAWAY 0 11");
      assertServes(server);
    }
  }

  /** Each requires a response: the server stops reading if its responses are not read. */
  @Test
  void floods_ofPingsAndSettings_doNotBlockOthers() throws Exception {
    try (var server = start()) {
      var before = ProcessMemory.used();
      Thread flooding;
      Thread another;
      try (var pings = RawHttp2.connect(server.port(), WINDOW);
          var settings = RawHttp2.connect(server.port(), WINDOW)) {
        flooding = Thread.ofPlatform().daemon().start(() -> flood(pings::ping));
        another = Thread.ofPlatform().daemon().start(() -> flood(settings::settings));
        for (int i = 0; i < 100; i++) {
          assertServes(server);
        }
        assertLittleMore(before);
      }
      flooding.join();
      another.join();
    }
  }

  /** Until it is disconnected, or the test closes it. */
  private static void flood(Runnable frame) {
    var open = true;
    while (open) {
      try {
        frame.run();
      } catch (UncheckedIOException e) {
        open = false;
      }
    }
  }

  /**
   * Like gRPC calls without its module: clients send no end of stream before they have a response.
   */
  @Test
  void call_unknownPath_isRejectedBeforeItsEnd() {
    try (var fixture = TestServer.start();
        var client = RawHttp2.connect(fixture.port(), 1 << 16)) {
      client.call(1, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo").data(1, 5, false);
      client.await("END 1");
    }
  }
}
