// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient;
import dev.evita.externalapi.core.InProcessClient.Request;
import java.lang.ref.WeakReference;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guarantees for programs that embed the server. */
@Timeout(120)
final class EmbeddingIT {

  private static final Request READ =
      Request.post("/graphql", "application/json", "{\"query\": \"{ pets { id } }\"}");

  private static void execute(String url, String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      for (var each : statements) {
        statement.execute(each);
      }
    }
  }

  private static void requireOne(ExternalApiServer server) {
    assertThat(server.client().send(READ).text()).isEqualTo("{\"data\":{\"pets\":[{\"id\":1}]}}");
    assertThat(server.client().send(Request.get("/rest/pets")).text()).isEqualTo("[{\"id\":1}]");
  }

  @Test
  void tablesCreatedAfterOpen_areServedFromTheStart() throws SQLException {
    var url = "jdbc:h2:mem:embedding";
    try (var engine = JdbcEngine.open(url)) {
      execute(url, "create table pets (id int primary key)", "insert into pets values (1)");
      try (var server = ExternalApiServer.over(engine).start()) {
        requireOne(server);
      }
    }
  }

  @Test
  void closedEngine_isRejected() {
    var engine = JdbcEngine.open("jdbc:h2:mem:");
    engine.close();
    assertThatThrownBy(() -> ExternalApiServer.over(engine).start())
        .isInstanceOfSatisfying(
            EvitaException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
              assertThat(refusal.publicMessage()).contains("closed");
            });
    // The timer of the commit feed, which a closed engine once started.
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("evita-commits");
  }

  @Test
  void twoServersInOneProcess_shareNoState() throws SQLException {
    var first = "jdbc:h2:mem:first";
    var second = "jdbc:h2:mem:second";
    try (var one = JdbcEngine.open(first);
        var two = JdbcEngine.open(second)) {
      execute(first, "create table pets (id int primary key)", "insert into pets values (1)");
      execute(second, "create table toys (id int primary key)");
      try (var servesTwo = ExternalApiServer.over(two).start()) {
        try (var servesOne = ExternalApiServer.over(one).start()) {
          requireOne(servesOne);
          assertThat(servesTwo.client().send(Request.get("/rest/pets")).status()).isEqualTo(404);
        }
        assertThat(servesTwo.client().send(Request.get("/rest/toys")).text()).isEqualTo("[]");
      }
    }
  }

  /** The levels of all existing loggers. */
  private static Map<String, @Nullable Level> levels() {
    var levels = new HashMap<String, @Nullable Level>();
    var manager = LogManager.getLogManager();
    for (var name : Collections.list(manager.getLoggerNames())) {
      var logger = manager.getLogger(name);
      if (logger != null && logger.getLevel() != null) {
        levels.put(name, logger.getLevel());
      }
    }
    return levels;
  }

  @Test
  void loggingLevels_areNotChanged() throws SQLException {
    var before = levels();
    var url = "jdbc:h2:mem:levels";
    try (var engine = JdbcEngine.open(url)) {
      execute(url, "create table pets (id int primary key)", "insert into pets values (1)");
      try (var server = ExternalApiServer.over(engine).start()) {
        requireOne(server);
      }
    }
    assertThat(levels()).isEqualTo(before);
  }

  /**
   * Serves, and sends requests from the calling thread; the thread must not refer to the server
   * later.
   */
  private static WeakReference<ExternalApiServer> serveOnce(String url) {
    try (var engine = JdbcEngine.open(url);
        var server = ExternalApiServer.over(engine).start()) {
      InProcessClient client = server.client();
      for (int i = 0; i < 10; i++) {
        assertThat(client.send(READ).status()).isEqualTo(200);
        assertThat(client.send(Request.get("/rest/pets")).status()).isEqualTo(200);
      }
      return new WeakReference<>(server);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void inProcessCaller_retainsNoReferences(boolean virtual) throws Exception {
    var url = "jdbc:h2:mem:threads" + virtual + ";DB_CLOSE_DELAY=-1";
    execute(url, "create table pets (id int primary key)");
    var called = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    var kept = new AtomicReference<@Nullable WeakReference<ExternalApiServer>>();
    var builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    var caller =
        builder.start(() -> {
          kept.set(serveOnce(url));
          called.countDown();
          try {
            done.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    called.await();
    await("the thread does not refer to the server")
        .atMost(Duration.ofSeconds(60))
        .until(() -> {
          System.gc();
          return Objects.requireNonNull(kept.get()).get() == null;
        });
    done.countDown();
    caller.join();
  }
}
