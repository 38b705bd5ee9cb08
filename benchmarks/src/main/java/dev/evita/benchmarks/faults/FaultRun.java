// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import dev.evita.benchmarks.faults.Violation.Kind;
import dev.evita.testsupport.FaultyProxy;
import dev.evita.testsupport.FaultyProxy.Trigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** One server over one database under load, struck by each fault in turn, in a random order. */
final class FaultRun {

  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(4);

  private final DatabaseUnderTest database;
  private final Path log;
  private final Set<Fault> faults;
  private final Random random;

  /**
   * @param log for the output of the server
   * @param faults those that strike, of which the database may lack some
   * @param random gives the order of the faults
   */
  FaultRun(DatabaseUnderTest database, Path log, Set<Fault> faults, Random random) {
    this.database = database;
    this.log = log;
    this.faults = faults;
    this.random = random;
  }

  /**
   * What was done, and found.
   *
   * @param requests of writes
   * @param acknowledged requests
   * @param unknown requests without an answer, or with one that does not say whether it was written
   * @param reads operations of which rows were read before the end
   * @param strikes faults
   * @param logLines of the server
   */
  record Result(
      String database,
      int operations,
      int requests,
      long acknowledged,
      long unknown,
      int reads,
      int strikes,
      long logLines,
      List<Violation> violations) {}

  /** Runs each fault once at least, and in turns until the time is over. */
  Result run(Duration atLeast) throws IOException, InterruptedException, SQLException {
    var history = new History();
    var violations = new ArrayList<Violation>();
    database.create(Workload.WRITERS);
    try (var server = new ServerUnderTest(database.url(), log);
        var proxy = FaultyProxy.start(server.port(), Trigger.ANY_REQUEST);
        var direct = new Client(server.port());
        var proxied = new Client(proxy.port())) {
      server.start();
      var workload = new Workload(history, server, direct, proxied);
      var strikes = new FaultSchedule(history, server, database, proxy, direct);
      workload.start();
      Thread.sleep(WARM_UP);
      var end = System.nanoTime() + atLeast.toNanos();
      do {
        strikeEach(strikes, end);
      } while (System.nanoTime() < end);
      for (var thread : workload.stop()) {
        violations.add(new Violation(Kind.NOT_RECOVERED, "the last write of " + thread));
      }
      if (!server.terminate()) {
        violations.add(new Violation(Kind.LIFECYCLE, "no end with status 143 after the load"));
      }
      violations.addAll(strikes.violations());
    }
    try (var connection = database.connect()) {
      violations.addAll(WriteChecker.check(history, StoredRows.read(connection)));
    }
    violations.addAll(AnswerChecker.check(history));
    return result(history, violations);
  }

  /** The first turn has all of them; later ones end when the time is over. */
  private void strikeEach(FaultSchedule strikes, long end)
      throws IOException, InterruptedException, SQLException {
    var first = strikes.count() == 0;
    var order = new ArrayList<>(database.faults());
    order.retainAll(faults);
    Collections.shuffle(order, random);
    for (var fault : order) {
      if (!first && System.nanoTime() > end) {
        return;
      }
      strikes.strike(fault);
      Thread.sleep(BETWEEN_FAULTS);
    }
  }

  private Result result(History history, List<Violation> violations) throws IOException {
    var attempts = history.attempts();
    try (var lines = Files.lines(log)) {
      return new Result(
          database.title(),
          history.operations().size(),
          attempts.size(),
          count(attempts, Outcome.ACKNOWLEDGED),
          count(attempts, Outcome.UNKNOWN),
          history.reads().size(),
          history.strikes().size(),
          lines.count(),
          List.copyOf(violations));
    }
  }

  private static long count(List<Attempt> attempts, Outcome outcome) {
    return attempts.stream().filter(attempt -> attempt.outcome() == outcome).count();
  }
}
