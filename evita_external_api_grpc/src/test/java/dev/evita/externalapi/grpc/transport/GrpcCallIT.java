// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.grpc.EchoService;
import dev.evita.externalapi.grpc.GrpcProvider;
import dev.evita.externalapi.grpc.TestCall;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HexFormat;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with a slow, faulty or disconnected side; on the I/O thread and on other threads. */
@Timeout(60)
final class GrpcCallIT {

  private final EchoService service = new EchoService();
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final JdbcEngine engine = JdbcEngine.open("jdbc:h2:mem:");
  private ExternalApiServer server;
  private ManagedChannel channel;

  private void start(boolean direct) {
    start(direct ? GrpcProvider.direct(service) : GrpcProvider.of(pool, service));
  }

  private void start(GrpcProvider provider) {
    server = ExternalApiServer.over(engine).provider(provider).withoutDiscovery().start();
    channel = ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void close() throws InterruptedException {
    if (channel != null) {
      channel.shutdownNow();
      channel.awaitTermination(10, TimeUnit.SECONDS);
    }
    server.close();
    engine.close();
    pool.shutdownNow();
  }

  private TestCall client(MethodDescriptor<byte[], byte[]> method) {
    return new TestCall(channel, method, CallOptions.DEFAULT);
  }

  private TestCall unary(MethodDescriptor<byte[], byte[]> method, byte[] message) {
    var client = client(method);
    client.call.request(2);
    client.call.sendMessage(message);
    client.call.halfClose();
    return client;
  }

  /**
   * Sends and receives messages of other calls on the same connection; frames that either side sent
   * before have then arrived.
   */
  private void exchangeMessages() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(unary(EchoService.ECHO, new byte[1]).status.get().isOk()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messages_ofAllSizes_areEchoed(boolean direct) throws Exception {
    start(direct);
    var client = client(EchoService.ECHO);
    client.call.request(100);
    for (var size : new int[] {0, 1, 5, 16_383, 16_384, 17_408, 65_535, 65_536, 700_000}) {
      var message = new byte[size];
      if (size > 0) {
        message[size - 1] = 7;
      }
      client.call.sendMessage(message);
      assertThat(client.messages.take()).isEqualTo(message);
    }
    client.call.halfClose();
    assertThat(client.status.get().getCode()).isEqualTo(Status.Code.OK);
  }

  /** Each {@code onReady} of a service that sends while it may was nested in the previous one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyMessages_toFastClient_keepShallowStack(boolean direct) throws Exception {
    start(direct);
    channel.shutdownNow();
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .flowControlWindow(2 * EchoService.MESSAGES * EchoService.BYTES)
            .build();
    var client = client(EchoService.COUNT);
    client.call.request(EchoService.MESSAGES + 1);
    client.call.sendMessage(new byte[0]);
    client.call.halfClose();
    assertThat(client.status.get().getCode()).isEqualTo(Status.Code.OK);
    assertThat(client.messages).hasSize(EchoService.MESSAGES);
    assertThat(service.depth.get()).isLessThan(100);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void successfulCall_completesOnce_andIsNotCancelled(boolean direct) throws Exception {
    start(direct);
    for (int i = 0; i < 100; i++) {
      assertThat(unary(EchoService.ECHO, new byte[1]).status.get().isOk()).isTrue();
    }
    service.completed.acquire(100);
    channel.shutdownNow();
    assertThat(channel.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(service.completed.availablePermits()).isZero();
    assertThat(service.cancelled.getCount()).isEqualTo(1);
  }

  /** As from any server of grpc-java; a service on a worker hands over once instead of thrice. */
  @Test
  void onlyMessageOfAResponse_isSentWithItsEnd() throws Exception {
    start(false);
    var held = unary(EchoService.HOLD, new byte[] {7});
    while (service.said.get() == 0) {
      Thread.onSpinWait();
    }
    // On the same connection, earlier bytes arrive before this response.
    assertThat(unary(EchoService.ECHO, new byte[1]).status.get().isOk()).isTrue();
    assertThat(held.messages).isEmpty();
    service.wanted.release();
    assertThat(held.status.get().isOk()).isTrue();
    assertThat(held.messages.take()).isEqualTo(new byte[] {7});
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slowConsumer_pausesTheService(boolean direct) throws Exception {
    start(direct);
    var client = unary(EchoService.COUNT, new byte[0]);
    service.paused.acquire();
    exchangeMessages();
    assertThat(service.said.get()).isLessThan(EchoService.MESSAGES / 2);

    client.call.request(EchoService.MESSAGES);
    assertThat(client.status.get().getCode()).isEqualTo(Status.Code.OK);
    assertThat(client.messages).hasSize(EchoService.MESSAGES);
    for (int i = 0; i < EchoService.MESSAGES; i++) {
      assertThat(client.messages.take()[0]).isEqualTo((byte) i);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slowService_pausesTheClient(boolean direct) throws Exception {
    start(direct);
    var client = client(EchoService.SINK);
    client.call.request(1);
    var sent = 0;
    do {
      while (client.call.isReady()) {
        client.call.sendMessage(new byte[EchoService.BYTES]);
        sent++;
      }
      exchangeMessages(); // frames that open the window of the call arrive before these
    } while (client.call.isReady());
    assertThat(sent * EchoService.BYTES).isLessThan(1 << 20);
    client.call.halfClose();
    service.wanted.release(sent + 1);
    assertThat(client.status.get().getCode()).isEqualTo(Status.Code.OK);
    assertThat(client.messages.take()).hasSize(sent);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void clientCancel_isDetected(boolean direct, boolean withConnection) throws Exception {
    start(direct);
    var client = unary(EchoService.WAIT, new byte[0]);
    assertThat(client.messages.take()).hasSize(EchoService.BYTES);
    if (withConnection) {
      channel.shutdownNow();
    } else {
      client.call.cancel("enough", null);
    }
    assertThat(service.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientCancelBeforeHalfClose_isDetected(boolean direct) throws Exception {
    start(direct);
    var client = client(EchoService.ECHO);
    client.call.request(1);
    client.call.sendMessage(new byte[1]);
    assertThat(client.messages.take()).hasSize(1);
    client.call.cancel("enough", null);
    assertThat(service.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void serviceException_isReportedWithoutDetails(boolean direct) throws Exception {
    start(direct);
    var status = unary(EchoService.FAIL, new byte[1]).status.get();
    assertThat(status.getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(status.getDescription()).isEqualTo("The service failed");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messageTooLarge_isRejected_andOthersContinue(boolean direct) throws Exception {
    start(direct);
    var status = unary(EchoService.ECHO, new byte[2 << 20]).status.get();
    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(status.getDescription()).contains("2097152", "1048576");
    assertThat(unary(EchoService.ECHO, new byte[3]).messages.take()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deadline_endsTheCall(boolean direct) throws Exception {
    start(direct);
    assertThat(unary(EchoService.ECHO, new byte[1]).status.get().isOk()).isTrue(); // connects
    var options = CallOptions.DEFAULT.withDeadlineAfter(500, TimeUnit.MILLISECONDS);
    var client = new TestCall(channel, EchoService.ECHO, options);
    client.call.request(1);
    assertThat(client.status.get().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(service.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void executorRejection_endsTheCall_andOthersContinue() throws Exception {
    var free = new AtomicBoolean();
    Executor full =
        task -> {
          if (!free.get()) {
            throw new RejectedExecutionException("full");
          }
          pool.execute(task);
        };
    start(GrpcProvider.of(full, service));
    var status = unary(EchoService.ECHO, new byte[1]).status.get();
    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    free.set(true);
    assertThat(unary(EchoService.ECHO, new byte[3]).messages.take()).hasSize(3);
  }

  /** What no client of gRPC sends. */
  @ParameterizedTest
  @CsvSource({
    "grpc-timeout, 5, 13",
    "grpc-timeout, S, 13",
    "grpc-timeout, 123456789S, 13",
    "grpc-timeout, -1S, 13",
    "grpc-encoding, snappy, 12",
  })
  void invalidHeaders_areRejectedByStatus(String name, String value, int status) throws Exception {
    start(true);
    var answer = post(HttpClient.Version.HTTP_2, "/test.Echo/Echo", new byte[0], name, value);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("grpc-status")).contains(Integer.toString(status));
    assertThat(answer.headers().firstValue("grpc-message").orElse("")).contains(name, value);
  }

  @ParameterizedTest
  @CsvSource({
    "8000000000, identity, 13, begins with the byte 128; expected 0",
    "0100000000, identity, 13, is compressed",
    "0100000000, gzip, 13, cannot be decompressed: it ends too early",
    "01000000021f8b, gzip, 13, cannot be decompressed: it ends too early",
    "010000000aaaaaaaaaaaaaaaaaaaaa, gzip, 13, cannot be decompressed: Not in GZIP format",
    "00ffffffff, identity, 8, A message has 4294967295 bytes",
    "0000000005aa, identity, 13, ends within a message",
    "0000, identity, 13, ends within a message",
  })
  void wrongBodies_areRefusedByStatus(String hex, String encoding, int status, String why)
      throws Exception {
    start(true);
    service.wanted.release(10);
    var body = HexFormat.of().parseHex(hex);
    var answer =
        post(HttpClient.Version.HTTP_2, "/test.Echo/Sink", body, "grpc-encoding", encoding);
    assertThat(answer.headers().firstValue("grpc-status")).contains(Integer.toString(status));
    assertThat(answer.headers().firstValue("grpc-message").orElse("")).contains(why);
  }

  @ParameterizedTest
  @CsvSource({
    "application/grpc, 200",
    "application/grpc+proto, 200",
    "application/GRPC+Proto ; charset=utf-8, 200",
    "application/grpc;charset=utf-8, 200",
    "application/grpc+json, 415",
    "application/grpc+foo; a=b, 415",
    "application/grpc+protobuf, 415",
    "application/grpc+, 415",
    "application/grpcfoo, 415",
  })
  void codecs_otherThanProtobuf_areRejected(String type, int status) throws Exception {
    start(true);
    try (var http = HttpClient.newHttpClient()) {
      var first = HttpRequest.newBuilder(server.uri().resolve("/system/liveness")).build();
      http.send(first, HttpResponse.BodyHandlers.ofString());
      var request =
          HttpRequest.newBuilder(server.uri().resolve("/test.Echo/Echo"))
              .header("Content-Type", type)
              .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[5]));
      var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.statusCode()).isEqualTo(status);
    }
  }

  @Test
  void http1_getsAnErrorThatNamesHttp2() throws Exception {
    start(true);
    var answer = post(HttpClient.Version.HTTP_1_1, "/test.Echo/Echo", new byte[5], "x", "y");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("application/grpc needs HTTP/2");
  }

  private HttpResponse<String> post(
      HttpClient.Version version, String path, byte[] body, String header, String value)
      throws Exception {
    try (var http = HttpClient.newBuilder().version(version).build()) {
      // The first request becomes HTTP/2, which the second one uses.
      var first = HttpRequest.newBuilder(server.uri().resolve("/system/liveness")).build();
      http.send(first, HttpResponse.BodyHandlers.ofString());
      var request =
          HttpRequest.newBuilder(server.uri().resolve(path))
              .header("Content-Type", "application/grpc")
              .header(header, value)
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
