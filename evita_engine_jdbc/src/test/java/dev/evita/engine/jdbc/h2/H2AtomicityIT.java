// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The content of an H2 file that was written during transactions. */
@Timeout(300)
final class H2AtomicityIT {

  private static final int VERSIONS = 100;
  private static final int WRITERS = 6;

  /** For each version: bounded, as reading one takes the longer the more was written. */
  private static final int COMMITS = 300;

  private static final int KEPT = 300;

  @TempDir private Path directory;

  @Test
  void version_writtenDuringTransactions_containsThemAtomically() throws Exception {
    var random = new Random(20261123);
    var url = SimulatedDisk.url(directory.resolve("live"));
    var next = new AtomicLong();
    var allowed = new Semaphore(0);
    try (var disk = SimulatedDisk.create();
        var engine = JdbcEngine.open(url)) {
      var db = new EngineDriver(engine);
      db.script(
          """
          create table ledger (id bigint, part int, filler varchar, primary key (id, part));
          create index by_filler on ledger (filler);
          create table clock (time bigint);
          insert into clock values (0);
          """);
      engine.refresh();
      var writers = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(
            CompletableFuture.runAsync(
                () -> write(url, next, allowed), writer -> Thread.ofPlatform().start(writer)));
      }
      for (int version = 0; version < VERSIONS; version++) {
        allowed.release(COMMITS);
        db.script("update clock set time = " + version);
        var file = disk.crash().ofProcess(random);
        requireWhole(SimulatedDisk.restore(file, directory.resolve("version" + version)));
        assertThat(writers).noneMatch(CompletableFuture::isCompletedExceptionally);
      }
      for (var writer : writers) {
        writer.join();
      }
    }
  }

  /** Transactions as short as possible, so that many begin and end while a version is written. */
  private static void write(String url, AtomicLong next, Semaphore allowed) {
    try (var connection = DriverManager.getConnection(url);
        var insert =
            connection.prepareStatement(
                """
                insert into ledger
                select ?, part, 'filler ' || part || ' of ' || ? from system_range(1, 3) as t(part)
                """);
        var delete = connection.prepareStatement("delete from ledger where id = ?")) {
      connection.setAutoCommit(false);
      for (int commit = 0; commit < VERSIONS * COMMITS / WRITERS; commit++) {
        allowed.acquireUninterruptibly();
        var id = next.incrementAndGet();
        insert.setLong(1, id);
        insert.setLong(2, id);
        insert.executeUpdate();
        delete.setLong(1, id - KEPT);
        delete.executeUpdate();
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void requireWhole(String url) {
    try (var engine = JdbcEngine.open(url)) {
      var db = new EngineDriver(engine);
      assertThat(db.script("select id from ledger group by id having count(*) <> 3"))
          .as("transactions of which only a part is visible")
          .isEmpty();
      assertThat(db.script("select count(*) from ledger where filler > ''"))
          .as("the index and the table")
          .isEqualTo(db.script("select count(*) from ledger where filler || '' > ''"));
    }
  }
}
