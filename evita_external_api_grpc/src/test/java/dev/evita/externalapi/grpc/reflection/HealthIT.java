// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.reflection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient;
import dev.evita.externalapi.grpc.GrpcOptions;
import dev.evita.externalapi.grpc.GrpcProvider;
import dev.evita.externalapi.grpc.ReflectingClient;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HealthIT {

  private final JdbcEngine engine = JdbcEngine.open("jdbc:h2:mem:");
  private final ExternalApiServer server =
      ExternalApiServer.over(engine).provider(new GrpcProvider()).withoutDiscovery().start();
  private final ReflectingClient client = new ReflectingClient(server.port());

  @AfterEach
  void close() {
    client.close();
    server.close();
    engine.close();
  }

  private static HealthCheckRequest of(String service) {
    return HealthCheckRequest.newBuilder().setService(service).build();
  }

  @Test
  void check_serverServicesAndStrangers() {
    var health = HealthGrpc.newBlockingStub(client.channel());
    assertThat(health.check(of("")).getStatus()).isEqualTo(ServingStatus.SERVING);
    assertThat(health.check(of("evita.v1.Database")).getStatus()).isEqualTo(ServingStatus.SERVING);
    assertThatThrownBy(() -> health.check(of("no.Such")))
        .hasMessageContaining("NOT_FOUND: There is no service 'no.Such'");
  }

  /** A health check of a service does not store field numbers. */
  @Test
  void check_ofTable_writesNothing() throws SQLException {
    var url = "jdbc:h2:mem:health;DB_CLOSE_DELAY=-1";
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("create table product (id int primary key)");
      try (var tables = JdbcEngine.open(url);
          var served =
              ExternalApiServer.over(tables)
                  .provider(new GrpcProvider())
                  .withoutDiscovery()
                  .start();
          var stranger = new ReflectingClient(served.port())) {
        var health = HealthGrpc.newBlockingStub(stranger.channel());
        assertThat(health.check(of("public.Product")).getStatus()).isEqualTo(ServingStatus.SERVING);
        assertThat(kept(connection)).isFalse();
        stranger.file("public.Product");
        assertThat(kept(connection)).isTrue();
      }
      statement.execute("shutdown");
    }
  }

  private static boolean kept(Connection connection) throws SQLException {
    try (var tables =
        connection.getMetaData().getTables(null, "PUBLIC", "EVITA_FIELD_NUMBERS", null)) {
      return tables.next();
    }
  }

  @Test
  void reflection_canBeSwitchedOff() {
    var options = GrpcOptions.builder().grpcReflection(false).build();
    try (var closed =
            ExternalApiServer.over(engine)
                .provider(new GrpcProvider(options))
                .withoutDiscovery()
                .start();
        var stranger = new ReflectingClient(closed.port())) {
      assertThatThrownBy(() -> stranger.file("evita.v1.Database"))
          .hasStackTraceContaining("UNIMPLEMENTED");
      assertThat(closed.client().send(InProcessClient.Request.get("/grpc/public.proto")).status())
          .isEqualTo(404);
      assertThat(HealthGrpc.newBlockingStub(stranger.channel()).check(of("")).getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void watch_isToldOfTheStop_whichItDoesNotHoldUp() throws Exception {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    HealthGrpc.newStub(client.channel())
        .watch(
            of(""),
            new StreamObserver<>() {
              @Override
              public void onNext(HealthCheckResponse response) {
                told.add(response.getStatus());
              }

              @Override
              public void onError(Throwable problem) {
                told.add(Status.fromThrowable(problem).getCode());
              }

              @Override
              public void onCompleted() {}
            });
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(ServingStatus.SERVING);
    var stopped = Thread.ofPlatform().start(server::close);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(Status.Code.UNAVAILABLE);
    stopped.join();
  }
}
