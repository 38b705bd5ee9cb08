// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.tls.TlsOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.testing.TlsTesting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of calls when the server stops, and when clients leave, many at a time. */
@Timeout(60)
final class GrpcStopIT {

  private final EchoService service = new EchoService();
  private final ExecutorService pool = Executors.newFixedThreadPool(4);
  private final JdbcEngine engine = JdbcEngine.open("jdbc:h2:mem:");
  private ExternalApiServer server;
  private ManagedChannel channel;

  private void start(boolean tls, Path folder) throws Exception {
    var options = tls ? TestCertificate.in(folder) : TlsOptions.NONE;
    server =
        ExternalApiServer.over(engine)
            .options(ServerOptions.builder().tls(options).allowedHosts(List.of("*")).build())
            .provider(GrpcProvider.of(pool, service))
            .withoutDiscovery()
            .start();
    var credentials =
        tls
            ? TlsChannelCredentials.newBuilder().trustManager(TlsTesting.loadCert("ca.pem")).build()
            : InsecureChannelCredentials.create();
    var builder = Grpc.newChannelBuilderForAddress("127.0.0.1", server.port(), credentials);
    channel = (tls ? builder.overrideAuthority("foo.test.google.fr") : builder).build();
  }

  @AfterEach
  void close() throws InterruptedException {
    channel.shutdownNow();
    channel.awaitTermination(10, TimeUnit.SECONDS);
    server.close();
    engine.close();
    pool.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shutdown_completesRunningCalls_andRejectsNewOnes(boolean tls, @TempDir Path folder)
      throws Exception {
    start(tls, folder);
    var open = TestCall.saying(channel, EchoService.ECHO, 1);
    assertThat(open.messages.take()).hasSize(1);
    var stopping = Thread.ofPlatform().start(server::close);
    Status refused;
    do {
      var late = TestCall.saying(channel, EchoService.ECHO, 1);
      late.call.halfClose();
      refused = late.status.get();
    } while (refused.isOk()); // it had not begun to stop
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    open.say(40_000);
    assertThat(open.messages.take()).hasSize(40_000);
    open.call.halfClose();
    assertThat(open.status.get().getCode()).isEqualTo(Status.Code.OK);
    stopping.join();
    assertThat(service.cancelled.getCount()).isEqualTo(1);
  }

  /** No call is lost without a status or completed in part. */
  @RepeatedTest(10)
  void shutdownDuringManyCalls_completesEachOrIsUnavailable(@TempDir Path folder) throws Exception {
    start(false, folder);
    var calls = new ArrayList<TestCall>();
    Thread stopping = null;
    for (int i = 0; i < 4_000; i++) {
      var client = TestCall.saying(channel, EchoService.ECHO, 100);
      client.call.halfClose();
      calls.add(client);
      if (i == 1_000) {
        stopping = Thread.ofPlatform().start(server::close);
      }
    }
    for (var client : calls) {
      var status = client.status.get();
      assertThat(status.getCode())
          .as("%s %s", status, status.getCause())
          .isIn(Status.Code.OK, Status.Code.UNAVAILABLE);
      assertThat(client.messages).as("%s", status).hasSize(status.isOk() ? 1 : 0);
    }
    stopping.join();
  }

  /**
   * Calls that are left at any moment, among others that must not notice; fewer than the guard
   * against resets allows.
   */
  @Test
  void randomDisconnects_doNotAffectOthers(@TempDir Path folder) throws Exception {
    start(false, folder);
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      var calls = new ArrayList<TestCall>();
      for (int i = 0; i < 40; i++) {
        var client =
            TestCall.saying(
                channel, i % 4 == 3 ? EchoService.WAIT : EchoService.ECHO, random.nextInt(60_000));
        client.say(random.nextInt(10));
        if (random.nextBoolean()) {
          client.call.halfClose();
        }
        calls.add(client);
      }
      for (var client : calls) {
        if (random.nextBoolean()) {
          client.messages.poll(random.nextInt(3), TimeUnit.MILLISECONDS);
        }
        client.call.cancel("enough", null);
      }
      var size = random.nextInt(200_000);
      var other = TestCall.saying(channel, EchoService.ECHO, size);
      other.call.halfClose();
      assertThat(other.status.get(20, TimeUnit.SECONDS)).as("seed %d", seed).matches(Status::isOk);
      assertThat(other.messages.take()).hasSize(size);
    }
  }
}
