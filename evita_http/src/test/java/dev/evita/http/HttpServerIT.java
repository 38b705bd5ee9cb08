// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.undertow.util.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport alone, without API and engine. */
@Timeout(60)
final class HttpServerIT {

  private static final String HOST = "Host: localhost\r\nConnection: close\r\n";

  /** Sends the body back, or rejects the request. */
  private static class Echo implements HttpHandler {

    @Override
    public void handle(HttpStream stream, @Nullable HttpFault fault) {
      if (fault != null) {
        stream.leaveUnread();
        respond(stream, fault.status(), fault.document().getBytes(StandardCharsets.UTF_8));
        return;
      }
      stream.listen(new Receiver(stream, this));
      stream.sendContinue();
      stream.resume();
    }

    void complete(HttpStream stream, byte[] body) {
      respond(stream, 200, body);
    }

    @Override
    public boolean isDraining() {
      return false;
    }
  }

  private record Receiver(HttpStream stream, Echo echo, ByteArrayOutputStream body)
      implements HttpStream.Listener {

    Receiver(HttpStream stream, Echo echo) {
      this(stream, echo, new ByteArrayOutputStream());
    }

    @Override
    public void received(ByteBuffer bytes, boolean last) {
      var piece = new byte[bytes.remaining()];
      bytes.get(piece);
      body.writeBytes(piece);
      if (last) {
        echo.complete(stream, body.toByteArray());
      }
    }

    @Override
    public void malformed(HttpFault fault) {
      echo.handle(stream, fault);
    }

    @Override
    public void sent() {}

    @Override
    public void broken() {}
  }

  private static void respond(HttpStream stream, int status, byte[] body) {
    stream.responseFields().put(Headers.CONTENT_LENGTH, body.length);
    stream.respond(status);
    stream.write(ByteBuffer.wrap(body));
    stream.end(null);
    if (!stream.flush()) {
      stream.awaitSent();
    }
  }

  private static HttpServer start(HttpHandler handler) {
    var options =
        new HttpServerOptions(
            "test",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            2,
            100,
            "/system/",
            List.of(),
            8 << 10,
            4 << 10,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            SocketOptions.builder().receiveBufferBytes(64 << 10).sendBufferBytes(64 << 10).build());
    try {
      var server = HttpServer.bind(options, handler, null, HttpServer.buffers());
      server.accept();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String send(HttpServer server, String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
      })
  void body_eitherFraming_isReceived(String framing) throws IOException {
    try (var server = start(new Echo())) {
      assertThat(send(server, "POST / HTTP/1.1\r\n" + HOST + framing))
          .startsWith("HTTP/1.1 200 ")
          .contains("Content-Length: 5\r\n")
          .endsWith("\r\n\r\nhello");
    }
  }

  @Test
  void body_largerThanBuffers_isEchoed() throws IOException {
    var body = "x".repeat(3_000_000);
    try (var server = start(new Echo())) {
      var request = "POST / HTTP/1.1\r\n" + HOST + "Content-Length: 3000000\r\n\r\n" + body;
      assertThat(send(server, request)).endsWith("\r\n\r\n" + body);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n|421|HOST_NOT_ALLOWED",
        "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n|501|MALFORMED_REQUEST",
        "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n|400|no valid Host",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx|400|chunked body"
      })
  void fault_ofEachKind_reachesTheHandlerOrIsAnsweredByTheTransport(String fault)
      throws IOException {
    var parts = fault.split("\\|", -1);
    try (var server = start(new Echo())) {
      assertThat(send(server, parts[0]))
          .startsWith("HTTP/1.1 " + parts[1] + " ")
          .contains(parts[2]);
    }
  }

  /**
   * While another thread than the connection's own ends an exchange of HTTP/1, Undertow makes the
   * connection's thread spin. With both on one core, it spun for the rest of its time slice, and an
   * insert cost twice as much.
   */
  @Test
  void response_byAnotherThread_isEndedOnTheConnectionThread() throws Exception {
    var refused = new CompletableFuture<Throwable>();
    var handler =
        new Echo() {
          @Override
          void complete(HttpStream stream, byte[] body) {
            Thread.ofPlatform()
                .start(() -> {
                  stream.respond(200);
                  stream.write(ByteBuffer.wrap(body));
                  assertThat(stream.mayFlush(false)).isTrue();
                  assertThat(stream.mayFlush(true)).isFalse();
                  stream.flush();
                  stream.end(null);
                  try {
                    stream.flush();
                  } catch (IllegalStateException e) {
                    refused.complete(e);
                  }
                  stream.execute(stream::flush);
                });
          }
        };
    try (var server = start(handler)) {
      assertThat(send(server, "POST / HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\nhi"))
          .endsWith("\r\n\r\nhi");
      assertThat(refused.get()).hasMessageContaining("connection's thread");
    }
  }

  @Test
  void address_inUse_isReported() throws IOException {
    try (var server = start(new Echo())) {
      var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
      var options =
          new HttpServerOptions(
              "second",
              taken,
              1,
              1,
              "/system/",
              List.of(),
              1 << 10,
              1 << 10,
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              SocketOptions.DEFAULT);
      assertThatThrownBy(() -> HttpServer.bind(options, new Echo(), null, HttpServer.buffers()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void socketOptions_outOfRange_areRejectedByName() {
    assertThatThrownBy(() -> SocketOptions.builder().backlog(0).build())
        .hasMessage("backlog is 0; expected at least 1");
    assertThatThrownBy(() -> SocketOptions.builder().sendBufferBytes(-1).build())
        .hasMessage("sendBufferBytes is -1; expected at least 0");
  }
}
