// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import dev.evita.benchmarks.faults.Fault.Effect;
import dev.evita.benchmarks.faults.History.Strike;
import dev.evita.benchmarks.faults.Violation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Compares the answers that clients and the probe got with the faults of that time.
 *
 * <p>A pure function: no clock, no database.
 */
final class AnswerChecker {

  /** Time after the end of a fault within which readiness may lag and requests may fail. */
  private static final Duration FOLLOWS = Duration.ofSeconds(2);

  /**
   * What is added to each limit: the server, its database and all clients share two cores here, and
   * are not always scheduled in time.
   */
  private static final Duration SLACK = Duration.ofMillis(1500);

  /** Longest time of a request that begins while the database is known to be away. */
  private static final Duration REFUSAL = Duration.ofMillis(1500);

  /** Codes that say that a retry may help, each with the status that it has in each API. */
  private static final Pattern TEMPORARY =
      Pattern.compile(
          "(?:REST|GRAPHQL) (?:503 (?:DATABASE_UNREACHABLE|STORAGE_FAILED|CANCELLED|OVERLOADED"
              + "|POOL_EXHAUSTED|SHUTTING_DOWN|CATALOG_CHANGED)"
              + "|504 (?:DEADLINE_EXCEEDED|COMMIT_UNKNOWN)"
              + "|409 SERIALIZATION_FAILURE|408 REQUEST_TIMEOUT)"
              + "|GRPC (?:UNAVAILABLE (?:DATABASE_UNREACHABLE|STORAGE_FAILED|SHUTTING_DOWN"
              + "|CATALOG_CHANGED)"
              + "|RESOURCE_EXHAUSTED (?:OVERLOADED|POOL_EXHAUSTED)"
              + "|DEADLINE_EXCEEDED (?:DEADLINE_EXCEEDED|COMMIT_UNKNOWN|REQUEST_TIMEOUT)"
              + "|CANCELLED (?:CANCELLED|CLIENT_GONE)"
              + "|ABORTED SERIALIZATION_FAILURE)");

  /** The same, which may also come while no fault strikes. */
  private static final Pattern CONFLICT =
      Pattern.compile(".*(?:SERIALIZATION_FAILURE|CATALOG_CHANGED)");

  private static final Pattern DISCLOSURE =
      Pattern.compile(
          "\\b(?:java|javax|sun|jdk|org|com|io|dev)\\.[a-z]\\w*\\.[\\w.]+|Exception\\b|@[0-9a-f]{5,}"
              + "|/(?:tmp|work|home|root|usr|var)/|127\\.0\\.0\\.1");

  private static final Set<Effect> NO_ANSWER = EnumSet.of(Effect.SERVER_AWAY, Effect.STORAGE_AWAY);

  private final History history;
  private final List<Strike> strikes;
  private final List<Violation> violations = new ArrayList<>();

  private AnswerChecker(History history) {
    this.history = history;
    this.strikes = history.strikes();
  }

  static List<Violation> check(History history) {
    var checker = new AnswerChecker(history);
    history.attempts().forEach(checker::check);
    checker.checkReadiness();
    return List.copyOf(checker.violations);
  }

  private void check(Attempt attempt) {
    if (DISCLOSURE.matcher(attempt.text()).find()) {
      add(Kind.DISCLOSURE, describe(attempt) + ": " + attempt.text());
    }
    if (attempt.outcome() == Outcome.ACKNOWLEDGED) {
      if (!attempt.proxied()) {
        checkTime(attempt);
      }
      return;
    }
    var answered = !attempt.text().isEmpty();
    if (answered && !TEMPORARY.matcher(attempt.answer()).matches()) {
      add(Kind.UNEXPECTED_ANSWER, describe(attempt) + ": " + attempt.text());
    }
    if (attempt.proxied()) {
      return;
    }
    checkTime(attempt);
    var struck = strikes.stream().anyMatch(strike -> explainsFailure(strike, attempt));
    if (!struck && !CONFLICT.matcher(attempt.answer()).matches()) {
      add(Kind.UNEXPECTED_ANSWER, describe(attempt) + " while no fault struck: " + attempt.text());
    }
  }

  private static boolean explainsFailure(Strike strike, Attempt attempt) {
    return strike.fault().effect() != Effect.CLIENTS_CUT
        && overlaps(strike, attempt.beganNanos(), attempt.endedNanos(), FOLLOWS);
  }

  private void checkTime(Attempt attempt) {
    var limit = ServerUnderTest.REQUEST_TIMEOUT.plus(SLACK).toNanos();
    var took = attempt.endedNanos() - attempt.beganNanos();
    if (took > REFUSAL.toNanos() && strikes.stream().anyMatch(each -> isKnown(each, attempt))) {
      add(Kind.LATE, describe(attempt) + " waited " + took / 1_000_000 + " ms in an outage");
    } else if (took > limit
        && strikes.stream().noneMatch(strike -> explainsDelay(strike, attempt))) {
      add(Kind.LATE, describe(attempt) + " took " + took / 1_000_000 + " ms");
    }
  }

  /** Whether the server must know of the outage when the request begins, until the request ends. */
  private static boolean isKnown(Strike strike, Attempt attempt) {
    return strike.fault().effect() == Effect.DATABASE_AWAY
        && strike.beganNanos() + FOLLOWS.toNanos() < attempt.beganNanos()
        && attempt.beganNanos() + REFUSAL.toNanos() < strike.endedNanos() - SLACK.toNanos();
  }

  /** The server itself did not run, or did not yet answer again. */
  private static boolean explainsDelay(Strike strike, Attempt attempt) {
    return NO_ANSWER.contains(strike.fault().effect())
        && overlaps(strike, attempt.beganNanos(), attempt.endedNanos(), SLACK);
  }

  private static boolean overlaps(Strike strike, long from, long to, Duration after) {
    return strike.beganNanos() <= to && from <= strike.endedNanos() + after.toNanos();
  }

  private void checkReadiness() {
    var late = FOLLOWS.plus(SLACK).toNanos();
    for (var sample : history.samples()) {
      var at = sample.nanos();
      for (var strike : strikes) {
        if (strike.fault().effect() == Effect.DATABASE_AWAY
            && sample.isUp()
            && strike.beganNanos() + late < at
            && at < strike.endedNanos() - SLACK.toNanos()) {
          add(
              Kind.READINESS,
              "UP " + seconds(at - strike.beganNanos()) + " after " + strike.fault());
        }
      }
      if (!sample.isUp()
          && strikes.stream()
              .noneMatch(strike ->
                  strike.fault().effect() != Effect.CLIENTS_CUT
                      && overlaps(strike, at, at, FOLLOWS.plus(SLACK)))) {
        add(Kind.READINESS, "'" + sample.readiness() + "' while no fault struck");
      }
    }
  }

  private String describe(Attempt attempt) {
    var during =
        strikes.stream()
            .filter(strike ->
                overlaps(strike, attempt.beganNanos(), attempt.endedNanos(), Duration.ZERO))
            .map(strike -> strike.fault().name())
            .toList();
    return attempt.operation().id()
        + (attempt.proxied() ? " by way of the proxy, " : ", ")
        + attempt.answer()
        + " "
        + during;
  }

  private static String seconds(long nanos) {
    return nanos / 100_000_000 / 10.0 + " s";
  }

  private void add(Kind kind, String detail) {
    violations.add(new Violation(kind, detail));
  }
}
