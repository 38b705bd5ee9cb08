// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The server within the life of a context, on the oldest supported Spring Boot. */
final class EvitaLifecycleIT {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final CountDownLatch BEGUN = new CountDownLatch(1);
  private static final CountDownLatch RELEASED = new CountDownLatch(1);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class, EvitaAutoConfiguration.class))
          .withPropertyValues("evita.port=0");

  /** A column whose value waits; public, as H2 calls it. */
  public static final class SlowColumn {

    private SlowColumn() {}

    public static int value() throws InterruptedException {
      BEGUN.countDown();
      assertThat(RELEASED.await(60, TimeUnit.SECONDS)).isTrue();
      return 7;
    }
  }

  @Test
  void contextCloses_whileRequestRuns_requestIsAnsweredBeforeDataSourceCloses() {
    runner
        .withPropertyValues(
            "spring.datasource.url=jdbc:h2:mem:drained;INIT=create alias if not exists awaits for \""
                + SlowColumn.class.getName()
                + ".value\"\\;create view if not exists slow as select awaits() as a")
        .run(context -> {
          var server = context.getBean(EvitaServer.class);
          var source = context.getBean(HikariDataSource.class);
          var answer =
              CLIENT.sendAsync(
                  HttpRequest.newBuilder(server.uri().orElseThrow().resolve("/rest/slow")).build(),
                  HttpResponse.BodyHandlers.ofString());
          assertThat(BEGUN.await(60, TimeUnit.SECONDS)).isTrue();
          var closing = Thread.ofPlatform().start(context.getSourceApplicationContext()::close);
          awaitRefusal(server.uri().orElseThrow());
          assertThat(source.isClosed()).isFalse();
          RELEASED.countDown();

          assertThat(answer.join().body()).isEqualTo("[{\"a\":7}]");
          closing.join();
          assertThat(server.isRunning()).isFalse();
          assertThat(server.uri()).isEmpty();
          assertThat(source.isClosed()).isTrue();
        });
  }

  /** Waits until the server takes no new connections. */
  private static void awaitRefusal(URI server) {
    await("connections are refused")
        .atMost(Duration.ofSeconds(60))
        .until(() -> {
          try (var socket = new java.net.Socket(server.getHost(), server.getPort())) {
            return !socket.isConnected();
          } catch (java.io.IOException refused) {
            return true;
          }
        });
  }

  /** The tests have both on their class path; an application has one. */
  @Test
  void health_whileRunning_isUpAndAfterStopDown() {
    runner.run(context -> {
      var server = context.getBean(EvitaServer.class);
      var ofBoot3 = new ActuatorHealthIndicator(server);
      var ofBoot4 = new ContributorHealthIndicator(server);
      assertThat(context).hasBean("evitaHealthIndicator");
      assertThat(ofBoot3.health().getStatus().getCode()).isEqualTo("UP");
      assertThat(ofBoot3.health().getDetails()).containsKey("database");
      assertThat(ofBoot4.health().getStatus().getCode()).isEqualTo("UP");

      server.stop();
      assertThat(ofBoot3.health().getStatus().getCode()).isEqualTo("DOWN");
      assertThat(ofBoot4.health().getStatus().getCode()).isEqualTo("DOWN");

      server.start();
      assertThat(ofBoot3.health().getStatus().getCode()).isEqualTo("UP");
    });
  }

  @Test
  void metrics_whileRunning_areNumbersAndAfterStopNaN() {
    runner.run(context -> {
      var registry = new SimpleMeterRegistry();
      context.getBean(EvitaMetrics.class).bindTo(registry);

      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getName())
          .containsExactlyInAnyOrder(
              "evita.connections", "evita.engine.waiting", "evita.catalog.epoch");
      assertThat(registry.get("evita.catalog.epoch").gauge().value()).isPositive();
      context.getBean(EvitaServer.class).stop();
      assertThat(registry.get("evita.connections").gauge().value()).isNaN();
    });
  }

  @Test
  void starter_disabled_startsNothing() {
    runner
        .withPropertyValues("evita.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(EvitaServer.class));
  }

  @Test
  void starter_noDataSource_startsNothing() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(EvitaAutoConfiguration.class))
        .run(context -> {
          assertThat(context).hasNotFailed().doesNotHaveBean(EvitaServer.class);
          assertThatThrownBy(() -> context.getBean(DataSource.class)).isNotNull();
        });
  }

  @Test
  void start_portTaken_failsWithRemedyAndLeavesNothingOpen() {
    runner.run(first -> {
      var taken = first.getBean(EvitaServer.class).uri().orElseThrow().getPort();
      runner
          .withPropertyValues("evita.port=" + taken)
          .run(second -> {
            assertThat(second).hasFailed();
            var analysis = new ConfigurationFailureAnalyzer().analyze(second.getStartupFailure());
            assertThat(analysis.getDescription()).contains("ADDRESS_IN_USE", ":" + taken);
            assertThat(analysis.getAction()).contains("evita.port");
          });
    });
  }
}
