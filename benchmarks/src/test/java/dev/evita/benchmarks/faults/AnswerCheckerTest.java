// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import dev.evita.benchmarks.faults.History.Sample;
import dev.evita.benchmarks.faults.History.Strike;
import dev.evita.benchmarks.faults.RecordedWrite.Protocol;
import dev.evita.benchmarks.faults.Violation.Kind;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are as documented, and others. Times are seconds from 1,000 on. */
final class AnswerCheckerTest {

  private final History history = new History();

  private static long nanos(double seconds) {
    return TimeUnit.SECONDS.toNanos(1_000) + (long) (seconds * 1e9);
  }

  private void attempt(Outcome outcome, String answer, String text, double from, double to) {
    var operation = new RecordedWrite("a", 1, Protocol.REST, true);
    history.add(new Attempt(operation, false, outcome, answer, text, nanos(from), nanos(to)));
  }

  private void strike(Fault fault, double from, double to) {
    history.add(new Strike(fault, nanos(from), nanos(to), nanos(to)));
  }

  private void sample(String readiness, double at) {
    history.add(new Sample(readiness, nanos(at)));
  }

  private void requireViolations(Kind... kinds) {
    assertThat(AnswerChecker.check(history)).extracting(Violation::kind).containsExactly(kinds);
  }

  @Test
  void refusalsDuringAnOutage_areRight() {
    strike(Fault.KILL_DATABASE, 10, 20);
    attempt(Outcome.REFUSED, "REST 503 DATABASE_UNREACHABLE", "{}", 12, 12.1);
    attempt(Outcome.UNKNOWN, "GRPC DEADLINE_EXCEEDED COMMIT_UNKNOWN", "status", 9, 12);
    attempt(Outcome.ACKNOWLEDGED, "REST 201", "", 21, 21.1);
    sample("UP", 11);
    sample("DATABASE_UNREACHABLE", 15);
    sample("UP", 25);
    requireViolations();
  }

  @Test
  void refusalWithoutAFault_isUnexpected() {
    attempt(Outcome.REFUSED, "REST 503 DATABASE_UNREACHABLE", "{}", 12, 12.1);
    requireViolations(Kind.UNEXPECTED_ANSWER);
  }

  @Test
  void refusalWhileOnlyClientsOfTheProxyAreCut_isUnexpected() {
    strike(Fault.CUT_CLIENTS, 10, 20);
    attempt(Outcome.REFUSED, "REST 503 DATABASE_UNREACHABLE", "{}", 12, 12.1);
    requireViolations(Kind.UNEXPECTED_ANSWER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REST 500 DATABASE_ERROR",
        "REST 502 STORAGE_FAILED",
        "REST 400 INVALID_VALUE",
        "GRPC UNKNOWN DATABASE_ERROR",
        // each a documented status and a documented code, but not of each other
        "REST 409 DATABASE_UNREACHABLE",
        "GRAPHQL 504 SHUTTING_DOWN",
        "REST 503 COMMIT_UNKNOWN",
        "GRPC UNAVAILABLE COMMIT_UNKNOWN",
        "GRPC ABORTED POOL_EXHAUSTED",
        "REST 200 COMMIT_UNKNOWN"
      })
  void statusThatNoFaultExplains_isUnexpected(String answer) {
    strike(Fault.KILL_DATABASE, 10, 20);
    attempt(Outcome.REFUSED, answer, "{}", 12, 12.1);
    requireViolations(Kind.UNEXPECTED_ANSWER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.h2.mvstore.MVStoreException",
        "java.io.IOException: no space",
        "/tmp/data/shop.mv.db",
        "sun.nio.ch.FileChannelImpl@9ad4028",
        "connection to 127.0.0.1:5432 refused"
      })
  void internals_areADisclosure(String text) {
    strike(Fault.FULL_DISK, 10, 20);
    attempt(Outcome.REFUSED, "REST 503 STORAGE_FAILED", text, 12, 12.1);
    requireViolations(Kind.DISCLOSURE);
  }

  @Test
  void answerAfterItsDeadline_isLate_alsoWhileTheDatabaseIsSuspended() {
    strike(Fault.SUSPEND_DATABASE, 10, 20);
    attempt(Outcome.REFUSED, "REST 504 DEADLINE_EXCEEDED", "{}", 11, 18);
    requireViolations(Kind.LATE);
  }

  @Test
  void answerAfterItsDeadline_isExplainedByASuspendedServer() {
    strike(Fault.SUSPEND_SERVER, 10, 20);
    attempt(Outcome.ACKNOWLEDGED, "REST 201", "", 11, 20.1);
    requireViolations();
  }

  @Test
  void readinessThatStaysUp_isAViolation() {
    strike(Fault.SUSPEND_DATABASE, 10, 20);
    sample("UP", 15);
    requireViolations(Kind.READINESS);
  }

  /** At the length of the suite's outages, in which there must be time for this. */
  @Test
  void readinessThatStaysUp_duringAnOutageOfTheSuite_isAViolation() {
    var end = 10 + PostgresDatabase.OUTAGE.toMillis() / 1000.0;
    strike(Fault.SUSPEND_DATABASE, 10, end);
    for (double at = 10; at < end; at += 0.1) {
      sample("UP", at);
    }
    assertThat(AnswerChecker.check(history))
        .hasSizeGreaterThan(10)
        .extracting(Violation::kind)
        .containsOnly(Kind.READINESS);
  }

  @Test
  void failure_threeSecondsAfterAFault_isUnexpected() {
    strike(Fault.KILL_DATABASE, 10, 20);
    attempt(Outcome.REFUSED, "REST 503 DATABASE_UNREACHABLE", "{}", 21.9, 22);
    requireViolations();
    attempt(Outcome.REFUSED, "REST 503 DATABASE_UNREACHABLE", "{}", 23, 23.1);
    requireViolations(Kind.UNEXPECTED_ANSWER);
  }

  @Test
  void refusal_inAKnownOutage_comesAtOnce() {
    strike(Fault.SUSPEND_DATABASE, 10, 20);
    attempt(Outcome.REFUSED, "REST 504 DEADLINE_EXCEEDED", "{}", 11, 14);
    requireViolations();
    attempt(Outcome.REFUSED, "REST 504 DEADLINE_EXCEEDED", "{}", 13, 15);
    requireViolations(Kind.LATE);
  }

  @Test
  void readinessThatStaysDown_isAViolation() {
    strike(Fault.SUSPEND_DATABASE, 10, 20);
    sample("DATABASE_UNREACHABLE", 24);
    requireViolations(Kind.READINESS);
  }

  @Test
  void readinessThatIsDownWithoutAFault_isAViolation() {
    sample("", 5);
    requireViolations(Kind.READINESS);
  }
}
