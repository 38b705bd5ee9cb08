// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.Health;
import dev.evita.api.Script;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes that take long although the disk completes them: they wait for a lock, or compute. */
@Tag("long")
@Timeout(60)
final class SqliteLockWaitIT {

  /** Computes for longer than a write may take before it is a stall. */
  private static final String LONG_INSERT =
      "insert into pets with recursive n(i) as (select 1 union all select i + 1 from n"
          + " where i < 20000000) select max(i) from n";

  @TempDir private Path directory;
  private String url;
  private JdbcEngine engine;

  @BeforeEach
  void open() {
    url = "jdbc:sqlite:" + directory.resolve("pets.db");
    engine = JdbcEngine.open(url);
    assertThat(run("create table pets (id integer primary key)").failure()).isNull();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private CollectingSink run(String script) {
    return new EngineDriver(engine)
        .run(new Script(script, List.of()), new Bindings().arguments(), null);
  }

  private CompletableFuture<CollectingSink> runLater(String script) {
    return CompletableFuture.supplyAsync(() -> run(script));
  }

  private void requireUpDuring(CompletableFuture<?> write) {
    while (!write.isDone()) {
      assertThat(engine.health()).isInstanceOf(Health.Up.class);
      Thread.onSpinWait();
    }
  }

  @Test
  void write_otherConnectionHoldsLock_waitsForRelease() throws Exception {
    try (var other = DriverManager.getConnection(url);
        var statement = other.createStatement()) {
      statement.execute("begin immediate");
      var write = runLater("insert into pets values (1)");
      assertThat(new EngineDriver(engine).script("select id from pets")).isEmpty();
      assertThat(write).isNotDone();
      statement.execute("commit");
      assertThat(write.join().failure()).isNull();
    }
  }

  @Test
  void write_lockNotReleased_failsAfterTimeoutWithoutStall() throws Exception {
    try (var other = DriverManager.getConnection(url);
        var statement = other.createStatement();
        var impatient = DriverManager.getConnection(url + "?busy_timeout=2000");
        var waiting = impatient.createStatement()) {
      statement.execute("begin immediate");
      var write = runLater("insert into pets values (1)");
      // Its timeout is shorter than the engine's, and longer than a stall.
      assertThatThrownBy(() -> waiting.execute("begin immediate")).hasMessageContaining("BUSY");
      assertThat(write).isNotDone();
      requireUpDuring(write);
      var failure = write.join().failure();
      assertThat(failure).isNotNull();
      assertThat(failure.code()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
    }
  }

  @Test
  void write_computesForLong_isNoStall() {
    var write = runLater(LONG_INSERT);
    requireUpDuring(write);
    assertThat(write.join().failure()).isNull();
  }
}
