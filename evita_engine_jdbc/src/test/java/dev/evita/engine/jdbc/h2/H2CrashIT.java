// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Insert;
import dev.evita.api.TableName;
import dev.evita.api.TransactionOptions;
import dev.evita.api.Update;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.Durability;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The content of an H2 file after the end of the process, or a loss of power, during a write. */
@Tag("long")
@Timeout(300)
final class H2CrashIT {

  private static final int CRASHES = 60;
  private static final int WRITERS = 4;

  /**
   * Between two crashes: bounded, as reading the file after a crash takes the longer the larger it
   * is.
   */
  private static final int COMMITS = 40;

  private static final int BETWEEN_UPDATES = 40;
  private static final TableName LEDGER = new TableName("PUBLIC", "LEDGER");

  @TempDir private Path directory;

  /** A commit: either all of its rows are present or none. */
  private static final int ROWS_OF_A_COMMIT = 3;

  @ParameterizedTest
  @EnumSource
  void crash_atAnyMoment_leavesEveryAcknowledgedCommit_andNoHalfOne(Durability level)
      throws Exception {
    var random = new Random(20261123);
    var acknowledged = ConcurrentHashMap.<Long>newKeySet();
    var next = new AtomicLong();
    var allowed = new Semaphore(0);
    var progress = new Semaphore(0);
    var options = JdbcOptions.builder().durability(level).build();
    try (var disk = SimulatedDisk.create();
        var engine = JdbcEngine.open(SimulatedDisk.url(directory.resolve("live")), options)) {
      var db = new EngineDriver(engine);
      db.script(
          "create table ledger (id bigint, part int, filler varchar(1000), primary key (id, part))");
      engine.refresh();
      var writers = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int commit = 0; commit < CRASHES * COMMITS / WRITERS; commit++) {
                    allowed.acquireUninterruptibly();
                    write(db, next.incrementAndGet(), acknowledged);
                    progress.release();
                  }
                },
                writer -> Thread.ofPlatform().start(writer)));
        writers
            .getLast()
            .exceptionally(failure -> {
              progress.release(CRASHES * COMMITS);
              return null;
            });
      }
      var awaited = 0;
      for (int crash = 0; crash < CRASHES; crash++) {
        allowed.release(COMMITS);
        var commits = crash * COMMITS + random.nextInt(COMMITS - WRITERS);
        // A failed writer would leave this waiting for its commits: it releases all permits.
        progress.acquire(Math.max(0, commits - awaited));
        awaited = Math.max(awaited, commits);
        assertThat(writers).noneMatch(CompletableFuture::isCompletedExceptionally);
        var surely = Set.copyOf(acknowledged);
        var state = disk.crash();
        var file = level == Durability.POWER ? state.ofPower(random) : state.ofProcess(random);
        requireAll(surely, SimulatedDisk.restore(file, directory.resolve("crash" + crash)));
      }
      for (var writer : writers) {
        writer.join();
      }
      assertThat(disk.forces() > CRASHES).isEqualTo(level == Durability.POWER);
    }
  }

  /** One transaction, which changes older rows too, so that space is reused. */
  private static void write(EngineDriver db, long id, Set<Long> acknowledged) {
    var transaction = db.begin(TransactionOptions.DEFAULT);
    var bind = new Bindings();
    var rows = new ArrayList<List<@Nullable Object>>();
    for (int part = 0; part < ROWS_OF_A_COMMIT; part++) {
      rows.add(EngineDriver.row(id, part, "x".repeat((int) (id * 37 % 900))));
    }
    var insert =
        new Insert(LEDGER, List.of("ID", "PART", "FILLER"), bind.rows(rows), null, List.of());
    assertThat(db.affected(insert, bind, transaction)).isEqualTo(ROWS_OF_A_COMMIT);
    var change = new Bindings();
    var filler =
        new Update.Change.Assign("FILLER", change.value("y".repeat((int) (id * 41 % 900))));
    var older = change.equal("ID", id - BETWEEN_UPDATES);
    db.affected(new Update(LEDGER, List.of(filler), older, List.of()), change, transaction);
    EngineDriver.await(transaction.commit());
    acknowledged.add(id);
  }

  private static void requireAll(Set<Long> surely, String url) {
    try (var engine = JdbcEngine.open(url)) {
      var rows =
          new EngineDriver(engine)
              .script("select id, count(*) from ledger group by id order by id");
      var found = new HashSet<Long>();
      for (var row : rows) {
        assertThat(row.get(1))
            .as("rows of commit %s", row.get(0))
            .isEqualTo((long) ROWS_OF_A_COMMIT);
        found.add((Long) row.get(0));
      }
      assertThat(found).containsAll(surely);
    }
  }
}
