// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.benchmarks.faults.Attempt.Outcome;
import dev.evita.benchmarks.faults.RecordedWrite.Protocol;
import dev.evita.benchmarks.faults.StoredRows.StoredRow;
import dev.evita.benchmarks.faults.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories that are right, and the same histories and rows with one thing spoilt. */
final class WriteCheckerTest {

  private final History history = new History();
  private final List<StoredRow> rows = new ArrayList<>();
  private final Map<Integer, Long> counters = new HashMap<>(Map.of(0, 0L, 1, 0L));

  private RecordedWrite operation(String id, Protocol protocol, Outcome... outcomes) {
    var operation = new RecordedWrite(id, 1, protocol, outcomes.length > 1);
    history.begin(operation);
    for (var outcome : outcomes) {
      var now = System.nanoTime();
      history.add(new Attempt(operation, false, outcome, "answer", "", now, now));
    }
    return operation;
  }

  private void stored(RecordedWrite operation) {
    for (int part = 0; part < RecordedWrite.PARTS; part++) {
      rows.add(new StoredRow(operation.id(), part));
    }
    if (operation.counts()) {
      counters.merge(operation.writer(), 1L, Long::sum);
    }
  }

  private void requireViolations(Kind... kinds) {
    assertThat(WriteChecker.check(history, new StoredRows(rows, counters)))
        .extracting(Violation::kind)
        .containsExactlyInAnyOrder(kinds);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void acknowledgedAndStored_isRight(Protocol protocol) {
    stored(operation("a", protocol, Outcome.ACKNOWLEDGED));
    stored(operation("b", protocol, Outcome.UNKNOWN, Outcome.REFUSED, Outcome.ACKNOWLEDGED));
    requireViolations();
  }

  @Test
  void acknowledgedAndNotStored_isLost() {
    operation("a", Protocol.REST, Outcome.UNKNOWN, Outcome.ACKNOWLEDGED);
    requireViolations(Kind.LOST);
  }

  @Test
  void acknowledgedAndStoredTwice_isDuplicate() {
    var operation = operation("a", Protocol.REST, Outcome.UNKNOWN, Outcome.ACKNOWLEDGED);
    stored(operation);
    stored(operation);
    requireViolations(Kind.DUPLICATE, Kind.DUPLICATE);
  }

  @Test
  void oneRowOfTwo_isHalf() {
    stored(operation("a", Protocol.GRPC, Outcome.ACKNOWLEDGED));
    rows.removeLast();
    requireViolations(Kind.HALF);
  }

  @Test
  void oneRowOfTwo_isHalf_alsoWhereTheOutcomeIsUnknown() {
    stored(operation("a", Protocol.GRPC, Outcome.UNKNOWN));
    rows.removeFirst();
    requireViolations(Kind.HALF);
  }

  @Test
  void unknown_mayBeStoredOrNot() {
    stored(operation("a", Protocol.REST, Outcome.UNKNOWN));
    operation("b", Protocol.REST, Outcome.UNKNOWN);
    operation("c", Protocol.REST); // the run ended before its answer
    stored(operation("d", Protocol.REST));
    requireViolations();
  }

  @Test
  void refusedAndStored_isViolation() {
    stored(operation("a", Protocol.GRAPHQL, Outcome.REFUSED, Outcome.REFUSED));
    requireViolations(Kind.REFUSED_BUT_KEPT);
  }

  @Test
  void refusedAndNotStored_isRight() {
    operation("a", Protocol.GRAPHQL, Outcome.REFUSED);
    requireViolations();
  }

  @Test
  void rowsOfNobody_areForeign() {
    rows.add(new StoredRow("z", 0));
    requireViolations(Kind.FOREIGN);
  }

  @Test
  void rowThatWasNotRequested_isForeign() {
    stored(operation("a", Protocol.REST, Outcome.ACKNOWLEDGED));
    rows.add(new StoredRow("a", RecordedWrite.PARTS));
    requireViolations(Kind.FOREIGN);
  }

  @Test
  void counterThatMissesAWrite_isViolation() {
    stored(operation("a", Protocol.GRAPHQL, Outcome.ACKNOWLEDGED));
    counters.put(1, 0L);
    requireViolations(Kind.COUNTER);
  }

  @Test
  void counterThatWasIncrementedTwice_isViolation() {
    stored(operation("a", Protocol.GRAPHQL, Outcome.ACKNOWLEDGED));
    counters.put(1, 2L);
    requireViolations(Kind.COUNTER);
  }

  @Test
  void readAndNotStored_isLost_whereALaterWriteWasAcknowledged() {
    operation("a", Protocol.REST, Outcome.UNKNOWN);
    history.read("a", System.nanoTime());
    stored(operation("b", Protocol.REST, Outcome.ACKNOWLEDGED));
    requireViolations(Kind.LOST);
  }

  @Test
  void readAndNotStored_isAccepted_whereTheProcessEndedFirst() {
    operation("a", Protocol.REST, Outcome.UNKNOWN);
    history.read("a", System.nanoTime());
    history.stopped();
    stored(operation("b", Protocol.REST, Outcome.ACKNOWLEDGED));
    requireViolations();
  }
}
