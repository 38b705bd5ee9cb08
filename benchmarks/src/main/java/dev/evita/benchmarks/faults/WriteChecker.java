// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.faults.StoredRows.StoredRow;
import dev.evita.benchmarks.faults.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the recorded history of writes with the stored rows.
 *
 * <pre>
 *   an operation                                        its rows
 *   acknowledged, or read and confirmed                 each exactly once
 *   each request refused                                none
 *   otherwise                                           each exactly once, or none
 * </pre>
 *
 * <p>That holds with an idempotency key, where an operation may have many requests, and without
 * one. A read is confirmed by any write that began after it and was acknowledged by the same
 * process of the server: H2 shows a commit a moment before it is written, and writes commits in
 * their order.
 *
 * <p>A pure function: no clock, no database.
 */
final class WriteChecker {

  private final History history;
  private final StoredRows stored;
  private final List<Violation> violations = new ArrayList<>();

  private WriteChecker(History history, StoredRows stored) {
    this.history = history;
    this.stored = stored;
  }

  static List<Violation> check(History history, StoredRows stored) {
    var checker = new WriteChecker(history, stored);
    checker.check();
    return List.copyOf(checker.violations);
  }

  private void check() {
    var acknowledged = new HashSet<String>();
    var lastOfProcess = new HashMap<Long, Long>();
    var possible = new HashSet<String>();
    var answered = new HashSet<String>();
    for (var attempt : history.attempts()) {
      var id = attempt.operation().id();
      answered.add(id);
      switch (attempt.outcome()) {
        case ACKNOWLEDGED -> {
          acknowledged.add(id);
          lastOfProcess.merge(process(attempt.endedNanos()), attempt.beganNanos(), Math::max);
        }
        case UNKNOWN -> possible.add(id);
        case REFUSED -> {}
      }
    }
    for (var read : history.reads().entrySet()) {
      var at = read.getValue();
      if (at < lastOfProcess.getOrDefault(process(at), Long.MIN_VALUE)) {
        acknowledged.add(read.getKey());
      }
    }
    var parts = new HashMap<String, List<Integer>>();
    for (StoredRow row : stored.rows()) {
      parts.computeIfAbsent(row.operation(), id -> new ArrayList<>()).add(row.part());
    }
    var counts = new HashMap<Integer, Long>();
    for (var operation : history.operations()) {
      var id = operation.id();
      var found = parts.remove(id);
      // The run may have ended before the answer to a request was recorded.
      var maybe = possible.contains(id) || !answered.contains(id);
      check(id, found == null ? List.of() : found, acknowledged.contains(id), maybe);
      if (found != null && operation.counts()) {
        counts.merge(operation.writer(), 1L, Long::sum);
      }
    }
    parts.forEach((id, found) -> add(Kind.FOREIGN, id + " was not requested; its rows: " + found));
    checkCounters(counts);
  }

  /** The number of the server's process that ran at this time. */
  private long process(long nanos) {
    return history.stops().stream().filter(stop -> stop <= nanos).count();
  }

  private void check(String id, List<Integer> found, boolean required, boolean possible) {
    if (found.isEmpty()) {
      if (required) {
        add(Kind.LOST, id + " has no rows; its answers: " + answers(id));
      }
      return;
    }
    if (!required && !possible) {
      add(Kind.REFUSED_BUT_KEPT, id + " has rows " + found + "; its answers: " + answers(id));
    }
    for (int part = 0; part < RecordedWrite.PARTS; part++) {
      var wanted = part;
      var times = found.stream().filter(each -> each == wanted).count();
      if (times == 0) {
        add(Kind.HALF, id + " lacks row " + part + "; its answers: " + answers(id));
      } else if (times > 1) {
        add(Kind.DUPLICATE, id + " has row " + part + " " + times + " times: " + answers(id));
      }
    }
    if (found.stream().anyMatch(part -> part < 0 || part >= RecordedWrite.PARTS)) {
      add(Kind.FOREIGN, id + " has rows that were not requested: " + found);
    }
  }

  private void checkCounters(Map<Integer, Long> counts) {
    Set<Integer> writers = new HashSet<>(counts.keySet());
    writers.addAll(stored.counters().keySet());
    for (var writer : writers) {
      long expected = counts.getOrDefault(writer, 0L);
      long found = stored.counters().getOrDefault(writer, 0L);
      if (expected != found) {
        add(
            Kind.COUNTER,
            "counter " + writer + " is " + found + ", and " + expected + " writes are there");
      }
    }
  }

  private List<String> answers(String id) {
    var read = history.reads().containsKey(id) ? ", and it was read" : "";
    return history.attempts().stream()
        .filter(attempt -> attempt.operation().id().equals(id))
        .map(attempt ->
            "%s %s at %.2f s%s"
                .formatted(
                    attempt.outcome(),
                    attempt.answer(),
                    history.seconds(attempt.endedNanos()),
                    read))
        .toList();
  }

  private void add(Kind kind, String detail) {
    violations.add(new Violation(kind, detail));
  }
}
