// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import dev.evita.benchmarks.faults.History.Strike;
import dev.evita.benchmarks.faults.Violation.Kind;
import dev.evita.testsupport.FaultyProxy;
import dev.evita.testsupport.FaultyProxy.Cut;
import dev.evita.testsupport.FaultyProxy.Mode;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Strikes with one fault after the other, and waits for the recovery from each. Not thread-safe.
 */
final class FaultSchedule {

  private static final Duration DISTURBANCE = Duration.ofSeconds(2);

  /** For a server that was just started, whose code is not yet compiled, on two busy cores. */
  private static final Duration RECOVERY = Duration.ofSeconds(6);

  private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(30);
  private static final Duration UNTIL_FULL = Duration.ofSeconds(20);
  private static final int CUTS = 5;

  private final History history;
  private final ServerUnderTest server;
  private final DatabaseUnderTest database;
  private final FaultyProxy proxy;
  private final Client client;
  private final List<Violation> violations = new ArrayList<>();
  private int disksWithEffect;
  private int disksWithoutEffect;

  FaultSchedule(
      History history,
      ServerUnderTest server,
      DatabaseUnderTest database,
      FaultyProxy proxy,
      Client client) {
    this.history = history;
    this.server = server;
    this.database = database;
    this.proxy = proxy;
    this.client = client;
  }

  /** Strikes once, and returns when writes are acknowledged again. */
  void strike(Fault fault) throws IOException, InterruptedException, SQLException {
    var began = System.nanoTime();
    var struck = perform(fault);
    var ended = System.nanoTime();
    if (!struck) {
      add(Kind.NOT_STRUCK, fault + " met nothing: no connection, no message, or no process");
    }
    if (!await(RECOVERY, () -> history.acknowledgedSince(ended))) {
      server.dumpThreads();
      add(
          Kind.NOT_RECOVERED,
          "no write was acknowledged in "
              + RECOVERY.toSeconds()
              + " s after "
              + fault
              + "; its log:\n"
              + server.logTail());
    }
    var recovered = System.nanoTime();
    history.add(new Strike(fault, began, ended, recovered));
    System.out.printf(
        "%6.1f s to %6.1f s: %s; %.1f s until writes were acknowledged%n",
        history.seconds(began), history.seconds(ended), fault, (recovered - ended) / 1e9);
  }

  /** Answers whether the fault met anything that it is about. */
  private boolean perform(Fault fault) throws IOException, InterruptedException, SQLException {
    return switch (fault) {
      case KILL_SERVER -> {
        server.kill();
        history.stopped();
        server.start();
        yield true;
      }
      case RESTART_SERVER -> {
        restart();
        yield true;
      }
      case SUSPEND_SERVER -> {
        server.suspend();
        Thread.sleep(DISTURBANCE);
        server.resume();
        yield true;
      }
      case CUT_CLIENTS -> proxy.cutAll() > 0;
      case CUT_REQUESTS -> cut(Cut.REQUEST);
      case CUT_ANSWERS -> cut(Cut.ANSWER);
      case DELAY_CLIENTS -> pass(Mode.DELAY);
      case LOSE_CLIENT_BYTES -> pass(Mode.DISCARD);
      case CHANGE_SCHEMA -> {
        database.changeSchema(client);
        Thread.sleep(DISTURBANCE);
        yield true;
      }
      case FULL_DISK -> {
        fillDisk();
        yield true;
      }
      default -> database.strike(fault);
    };
  }

  private boolean cut(Cut cut) throws InterruptedException {
    proxy.arm(cut, CUTS);
    Thread.sleep(DISTURBANCE);
    return proxy.disarm() > 0;
  }

  private boolean pass(Mode mode) throws InterruptedException {
    proxy.mode(mode);
    Thread.sleep(DISTURBANCE);
    return proxy.mode(Mode.FORWARD) > 0;
  }

  private void restart() throws IOException, InterruptedException {
    if (!server.terminate()) {
      add(
          Kind.LIFECYCLE,
          "SIGTERM did not end the server with status 143; its log:\n" + server.logTail());
    }
    history.stopped();
    server.start();
  }

  /**
   * A failed write is final: with space again, nothing is acknowledged until a restart. A file that
   * has room in itself, as one of H2 may after some minutes, needs no more of the disk.
   */
  private void fillDisk() throws IOException, InterruptedException {
    var began = System.nanoTime();
    database.disk().fill();
    if (!await(UNTIL_FULL, () -> failedSince(began))) {
      disksWithoutEffect++;
      database.disk().free();
      return;
    }
    disksWithEffect++;
    // What was in flight is answered.
    Thread.sleep(DISTURBANCE);
    var failed = System.nanoTime();
    checkDown();
    database.disk().free();
    Thread.sleep(DISTURBANCE);
    if (history.lastAcknowledgedNanos() > failed) {
      add(Kind.STORAGE, "writes were acknowledged again without a restart");
    }
    checkDown();
    restart();
  }

  private boolean failedSince(long nanos) {
    return history.attempts().reversed().stream()
        .takeWhile(attempt -> attempt.endedNanos() > nanos)
        .anyMatch(attempt ->
            attempt.outcome() == Outcome.REFUSED && attempt.answer().endsWith("STORAGE_FAILED"));
  }

  private void checkDown() throws InterruptedException {
    var readiness = server.readiness();
    if (!readiness.equals("STORAGE_FAILED")) {
      add(Kind.READINESS, "'" + readiness + "' after a write had failed on a full disk");
    }
  }

  private static boolean await(Duration longest, BooleanSupplier condition)
      throws InterruptedException {
    var deadline = System.nanoTime() + longest.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(20);
    }
    return true;
  }

  private void add(Kind kind, String detail) {
    violations.add(new Violation(kind, detail));
  }

  int count() {
    return history.strikes().size();
  }

  /** The violations that only the suite can detect; complete at the end. */
  List<Violation> violations() {
    if (disksWithEffect == 0 && disksWithoutEffect > 0) {
      add(Kind.NOT_STRUCK, "on no full disk did a write fail in " + UNTIL_FULL.toSeconds() + " s");
    }
    return List.copyOf(violations);
  }
}
