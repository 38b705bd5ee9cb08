// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.web.CorsOptions;
import dev.evita.externalapi.grpc.EchoService;
import dev.evita.externalapi.grpc.GrpcProvider;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** gRPC-Web, byte by byte: as text and not, over HTTP/1.1 and HTTP/2. */
@Timeout(60)
final class GrpcWebIT {

  private static final String APP = "https://app.example";
  private static final String BINARY = "application/grpc-web+proto";
  private static final String TEXT = "application/grpc-web-text";
  private static final byte TRAILERS = (byte) 0x80;

  private final EchoService service = new EchoService();
  private final JdbcEngine engine = JdbcEngine.open("jdbc:h2:mem:");
  private ExternalApiServer server;
  private HttpClient http;

  private void start(String... origins) {
    var cors = CorsOptions.builder().corsOrigins(List.of(origins)).build();
    server =
        ExternalApiServer.over(engine)
            .options(ServerOptions.builder().cors(cors).build())
            .provider(GrpcProvider.direct(service))
            .withoutDiscovery()
            .start();
    http = HttpClient.newHttpClient();
  }

  @AfterEach
  void close() {
    http.close();
    server.close();
    engine.close();
  }

  private static byte[] framed(byte... message) {
    return ByteBuffer.allocate(5 + message.length)
        .putInt(1, message.length)
        .put(5, message)
        .array();
  }

  private static byte[] base64(byte[] bytes) {
    return Base64.getEncoder().encode(bytes);
  }

  /** Decodes base64 with padding at any position, four characters at a time. */
  private static byte[] decoded(byte[] text) {
    var bytes = new ByteArrayOutputStream();
    assertThat(text.length % 4).isZero();
    for (int i = 0; i < text.length; i += 4) {
      bytes.writeBytes(
          Base64.getDecoder().decode(new String(text, i, 4, StandardCharsets.US_ASCII)));
    }
    return bytes.toByteArray();
  }

  /** A response: its messages, and its trailers as text. */
  private record Answer(List<byte[]> messages, String trailers) {

    static Answer of(byte[] body) throws IOException {
      var messages = new ArrayList<byte[]>();
      var in = ByteBuffer.wrap(body);
      while (true) {
        var flag = in.get();
        var bytes = new byte[in.getInt()];
        in.get(bytes);
        if (flag == TRAILERS) {
          assertThat(in.hasRemaining()).isFalse();
          return new Answer(messages, new String(bytes, StandardCharsets.US_ASCII));
        }
        assertThat(flag).isZero();
        messages.add(bytes);
      }
    }
  }

  private HttpRequest.Builder request(MethodDescriptor<?, ?> method, String type, byte[] body) {
    return HttpRequest.newBuilder(server.uri().resolve("/" + method.getFullMethodName()))
        .header("Content-Type", type)
        .header("X-Grpc-Web", "1")
        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request, HttpClient.Version version)
      throws Exception {
    // The first request becomes HTTP/2, which the second one uses.
    var first = HttpRequest.newBuilder(server.uri().resolve("/system/liveness")).version(version);
    http.send(first.build(), HttpResponse.BodyHandlers.discarding());
    var answer =
        http.send(request.version(version).build(), HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.version()).isEqualTo(version);
    return answer;
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, false, false",
    "HTTP_1_1, true, true",
    "HTTP_1_1, false, true",
    "HTTP_2, false, false",
    "HTTP_2, true, true",
    "HTTP_2, true, false",
  })
  void call_returnsRows_andEndsWithTheLastMessage(
      HttpClient.Version version, boolean ofText, boolean asText) throws Exception {
    start();
    var body = framed(new byte[] {1, 2, 3, 4});
    var request = request(EchoService.ECHO, ofText ? TEXT : BINARY, ofText ? base64(body) : body);
    var answer = send(request.header("Accept", asText ? TEXT : BINARY), version);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type"))
        .contains(asText ? TEXT + "+proto" : BINARY);
    var parts = Answer.of(asText ? decoded(answer.body()) : answer.body());
    assertThat(parts.messages()).containsExactly(new byte[] {1, 2, 3, 4});
    assertThat(parts.trailers()).isEqualTo("grpc-status: 0\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
  void failure_isTheEndAlone(HttpClient.Version version) throws Exception {
    start();
    var failed = send(request(EchoService.FAIL, BINARY, framed()), version);
    var answer = Answer.of(failed.body());
    assertThat(answer.messages()).isEmpty();
    assertThat(answer.trailers().lines())
        .containsExactlyInAnyOrder("grpc-status: 2", "grpc-message: The service failed");
    var unknown =
        request(EchoService.FAIL, BINARY, framed()).uri(server.uri().resolve("/test.Echo/Nothing"));
    assertThat(Answer.of(send(unknown, version).body()).trailers()).contains("grpc-status: 12\r\n");
  }

  @Test
  void text_paddedAnywhere_isRead() throws Exception {
    start();
    var text = new ByteArrayOutputStream();
    for (var b : framed(new byte[] {5, 6, 7})) {
      text.writeBytes(base64(new byte[] {b}));
    }
    var answer =
        send(request(EchoService.ECHO, TEXT, text.toByteArray()), HttpClient.Version.HTTP_2);
    assertThat(Answer.of(decoded(answer.body())).messages()).containsExactly(new byte[] {5, 6, 7});
  }

  @ParameterizedTest
  @ValueSource(strings = {"AAAA*AAA", "A===", "AA=A", "AAA", "AAAA\n"})
  void text_thatIsNotBase64_isRejectedByStatus(String text) throws Exception {
    start();
    service.wanted.release(2);
    var body = text.getBytes(StandardCharsets.US_ASCII);
    var answer = send(request(EchoService.SINK, TEXT, body), HttpClient.Version.HTTP_1_1);
    assertThat(Answer.of(decoded(answer.body())).trailers()).contains("grpc-status: 13\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, application/grpc-web+json",
    "HTTP_1_1, application/grpc-web-text+json",
    "HTTP_2, application/grpc-web+json",
    "HTTP_2, application/grpc-web-text+foo",
  })
  void codecs_otherThanProtobuf_areRejected(HttpClient.Version version, String type)
      throws Exception {
    start();
    var refused = send(request(EchoService.ECHO, type, framed(new byte[1])), version);
    assertThat(refused.statusCode()).isEqualTo(415);
    var next = send(request(EchoService.ECHO, BINARY, framed(new byte[1])), version);
    assertThat(Answer.of(next.body()).messages()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void page_ofAnAllowedOrigin_mayAskAndReadAll(HttpClient.Version version) throws Exception {
    start(APP);
    var preflight =
        HttpRequest.newBuilder(server.uri().resolve("/test.Echo/Echo"))
            .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
            .header("Origin", APP)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type,grpc-timeout,x-grpc-web,x-own")
            .build();
    var headers = http.send(preflight, HttpResponse.BodyHandlers.discarding()).headers();
    assertThat(headers.firstValue("access-control-allow-origin")).contains(APP);
    assertThat(headers.firstValue("access-control-allow-methods").orElse("")).contains("POST");
    assertThat(headers.firstValue("access-control-allow-headers"))
        .contains("content-type,grpc-timeout,x-grpc-web,x-own");

    var request = request(EchoService.ECHO, BINARY, framed(new byte[1])).header("Origin", APP);
    var answer = send(request.header("Sec-Fetch-Site", "cross-site"), version);
    assertThat(Answer.of(answer.body()).messages()).hasSize(1);
    assertThat(answer.headers().firstValue("access-control-allow-origin")).contains(APP);
    assertThat(answer.headers().firstValue("access-control-expose-headers").orElse(""))
        .contains("grpc-accept-encoding")
        .contains("x-said-by-the-service")
        .doesNotContain(":"); // a browser would forget the whole list
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, https://app.example",
    "HTTP_1_1, ''",
    "HTTP_2, https://app.example",
    "HTTP_2, ''",
  })
  void page_ofAnotherOrigin_callsNothing(HttpClient.Version version, String allowed)
      throws Exception {
    start(allowed.isEmpty() ? new String[0] : new String[] {allowed});
    var request =
        request(EchoService.ECHO, BINARY, framed(new byte[1]))
            .header("Origin", "https://evil.example");
    var answer = send(request, version);
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.headers().map()).doesNotContainKey("access-control-allow-origin");
    assertThat(service.started.get()).isZero();
  }

  @Test
  void otherMediaType_errorNamesTheExpectedOne() throws Exception {
    start();
    var request = request(EchoService.ECHO, "application/json", new byte[] {'{', '}'});
    var answer = send(request, HttpClient.Version.HTTP_1_1);
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("application/grpc-web");
  }

  // ---- HTTP/1.1, on a socket of our own ----

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void head(Socket socket, String path, String fields) throws IOException {
    var head =
        "POST /test.Echo/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%s\r\n"
            .formatted(path, BINARY, fields);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
  }

  private static void chunk(Socket socket, byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    out.writeBytes(
        (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(bytes);
    out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(out.toByteArray());
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next; (next = in.read()) != '\n'; ) {
      assertThat(next).as("after '%s'", line).isNotNegative();
      line.append((char) next);
    }
    return line.toString().strip();
  }

  private static String status(Socket socket) throws IOException {
    var status = line(socket.getInputStream());
    while (!line(socket.getInputStream()).isEmpty()) {
      // the other fields
    }
    return status;
  }

  private static byte[] readChunk(Socket socket) throws IOException {
    var in = socket.getInputStream();
    var bytes = in.readNBytes(Integer.parseInt(line(in), 16));
    line(in);
    return bytes;
  }

  private static Answer readAnswer(Socket socket) throws IOException {
    assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
    var body = new ByteArrayOutputStream();
    for (var chunk = readChunk(socket); chunk.length > 0; chunk = readChunk(socket)) {
      body.writeBytes(chunk);
    }
    return Answer.of(body.toByteArray());
  }

  /** Also where a call was refused before its request was read. */
  @Test
  void connection_servesOneCallAfterTheOther() throws Exception {
    start();
    try (var socket = connect()) {
      for (byte i = 0; i < 20; i++) {
        head(
            socket,
            i % 3 == 2 ? "Nothing" : "Echo",
            i % 2 == 0 ? "Content-Length: 6\r\n" : CHUNKED);
        if (i % 2 == 0) {
          socket.getOutputStream().write(framed(i));
        } else {
          chunk(socket, framed(i));
          chunk(socket, new byte[0]);
        }
        var answer = readAnswer(socket);
        if (i % 3 == 2) {
          assertThat(answer.trailers()).contains("grpc-status: 12\r\n");
        } else {
          assertThat(answer.messages()).containsExactly(new byte[] {i});
        }
      }
    }
  }

  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

  /** Messages of both sides, one after the other, though no browser can do that. */
  @Test
  void messages_alternate_bothWays() throws Exception {
    start();
    try (var socket = connect()) {
      head(socket, "Echo", CHUNKED);
      for (byte i = 0; i < 5; i++) {
        chunk(socket, framed(i));
        if (i == 0) {
          assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(readChunk(socket)).isEqualTo(framed(i));
      }
      chunk(socket, new byte[0]);
      assertThat(readChunk(socket)[0]).isEqualTo(TRAILERS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zz\r\n", "5\r\n\0\0\0\0\1??", "-1\r\n"})
  void malformedChunks_endCallAndConnection(String body) throws Exception {
    start();
    try (var socket = connect()) {
      head(socket, "Echo", CHUNKED);
      chunk(socket, framed((byte) 1));
      assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
      assertThat(readChunk(socket)).isEqualTo(framed((byte) 1));
      socket.getOutputStream().write(body.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(service.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(socket.getInputStream().read()).isNegative();
    }
  }

  @Test
  void malformedChunks_beforeTheResponse_get400() throws Exception {
    start();
    try (var socket = connect()) {
      head(socket, "Sink", CHUNKED);
      socket.getOutputStream().write("zz\r\n".getBytes(StandardCharsets.US_ASCII));
      service.wanted.release(2);
      assertThat(status(socket)).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void expectContinue_isConfirmed() throws Exception {
    start();
    try (var socket = connect()) {
      head(socket, "Echo", "Content-Length: 6\r\nExpect: 100-continue\r\n");
      assertThat(status(socket)).startsWith("HTTP/1.1 100");
      socket.getOutputStream().write(framed((byte) 9));
      assertThat(readAnswer(socket).messages()).containsExactly(new byte[] {9});
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientDisconnect_isDetected(boolean midRequest) throws Exception {
    start();
    try (var socket = connect()) {
      if (midRequest) {
        head(socket, "Echo", CHUNKED);
        chunk(socket, framed((byte) 1));
      } else {
        head(socket, "Wait", "Content-Length: 5\r\n");
        socket.getOutputStream().write(framed());
      }
      assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
      assertThat(readChunk(socket)).isNotEmpty();
    }
    assertThat(service.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void slowConsumer_pausesTheService() throws Exception {
    start();
    try (var socket = connect()) {
      head(socket, "Count", "Content-Length: 5\r\n");
      socket.getOutputStream().write(framed());
      service.paused.acquire();
      assertThat(service.said.get()).isLessThan(EchoService.MESSAGES);
      assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
      var in = new DataInputStream(socket.getInputStream());
      var body = new ByteArrayOutputStream();
      for (var chunk = readChunk(socket); chunk.length > 0; chunk = readChunk(socket)) {
        body.writeBytes(chunk);
      }
      assertThat(in.available()).isZero();
      assertThat(Answer.of(body.toByteArray()).messages()).hasSize(EchoService.MESSAGES);
    }
  }
}
