// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls to a host that is not among {@code allowed-hosts}. */
@Timeout(60)
final class GrpcHostsIT {

  private final EchoService service = new EchoService();
  private final JdbcEngine engine = JdbcEngine.open("jdbc:h2:mem:");
  private final ExternalApiServer server =
      ExternalApiServer.over(engine)
          .provider(GrpcProvider.direct(service))
          .withoutDiscovery()
          .start();

  @AfterEach
  void close() {
    server.close();
    engine.close();
  }

  private ManagedChannel channel(String authority) {
    return ManagedChannelBuilder.forAddress("127.0.0.1", server.port())
        .usePlaintext()
        .overrideAuthority(authority)
        .build();
  }

  static Stream<MethodDescriptor<byte[], byte[]>> methods() {
    return Stream.of(EchoService.ECHO, EchoService.COUNT, EchoService.SINK, EchoService.HOLD);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void foreignHost_ofAnyKindOfCall_isDenied(MethodDescriptor<byte[], byte[]> method) {
    var channel = channel("evil.example:5555");
    try {
      var status = TestCall.saying(channel, method, 100_000).status.join();
      assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(status.getDescription())
          .contains("Host \"evil.example:5555\" is not allowed")
          .contains("allowed-hosts");
      assertThat(service.started.get()).isZero();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void ownHost_isServed() throws InterruptedException {
    var channel = channel("app.localhost");
    try {
      assertThat(TestCall.saying(channel, EchoService.ECHO, 3).messages.take()).hasSize(3);
    } finally {
      channel.shutdownNow();
    }
  }

  /** gRPC-Web over HTTP/1.1: the page of such a host reads the status as of any other call. */
  @Test
  void foreignHost_ofAPage_isDenied() throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      var request =
          """
          POST /test.Echo/Echo HTTP/1.1\r
          Host: evil.example\r
          Origin: http://evil.example\r
          Content-Type: application/grpc-web+proto\r
          Content-Length: 6\r
          \r
          \0\0\0\0\1x\
          """;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer)
          .startsWith("HTTP/1.1 200 ")
          .contains("Connection: close\r\n")
          .contains("grpc-status: 7\r\n")
          .contains("evil.example");
      assertThat(service.started.get()).isZero();
    }
  }
}
