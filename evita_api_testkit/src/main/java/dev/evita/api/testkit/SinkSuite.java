// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.Execution;
import dev.evita.api.Operation;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Script;
import dev.evita.api.Select;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The push of rows: order, back-pressure, end and cancellation. */
interface SinkSuite extends EngineSuite {

  private Select readings() {
    return select("readings", "id").orderBy(List.of(Order.ascending("id")));
  }

  private void run(Operation operation, CollectingSink sink) {
    db().prepare(operation).run(Arguments.NONE, null, sink);
  }

  private static void requireIds(CollectingSink sink, int count) {
    assertThat(sink.rows())
        .extracting(row -> ((Number) Objects.requireNonNull(row.getFirst())).longValue())
        .containsExactlyElementsOf(EngineDriver.numbers(count));
  }

  @Test
  default void run_startsPushesRowsAndCompletesOnce() {
    var sink = new CollectingSink();
    run(readings(), sink);
    sink.await(EngineDriver.PATIENCE);
    assertThat(sink.failure()).isNull();
    assertThat(sink.affected()).isEqualTo(Shop.READINGS);
    requireIds(sink, Shop.READINGS);
    assertThat(sink.execution().shape()).isEqualTo(db().prepare(readings()).shape());
  }

  @Test
  default void inProcessEngine_pushesOnTheCallingThread() {
    var sink = new CollectingSink();
    run(readings(), sink);
    if (supports(EngineBehavior.IN_PROCESS)) {
      assertThat(sink.hasEnded()).isTrue();
      assertThat(sink.lastThread()).isSameAs(Thread.currentThread());
    } else {
      sink.await(EngineDriver.PATIENCE);
    }
  }

  @Test
  default void pause_holdsRowsBack_andResumeFromAnotherThreadGivesTheRest()
      throws InterruptedException {
    var sink = CollectingSink.demanding(count -> count % 25 == 0 ? Demand.PAUSE : Demand.MORE);
    run(readings(), sink);
    for (int pause = 1; pause <= 2; pause++) {
      sink.awaitPause(EngineDriver.PATIENCE);
      assertThat(sink.count()).isEqualTo(25L * pause);
      var thread = new Thread(sink::resume);
      thread.start();
      thread.join();
    }
    sink.await(EngineDriver.PATIENCE);
    requireIds(sink, Shop.READINGS);
  }

  @Test
  default void pauseAfterTheLastRow_completesOnlyAfterResume() {
    var sink =
        CollectingSink.demanding(count -> count == Shop.READINGS ? Demand.PAUSE : Demand.MORE);
    run(readings(), sink);
    sink.awaitPause(EngineDriver.PATIENCE);
    assertThat(sink.hasEnded()).isFalse();
    sink.resume();
    assertThat(sink.await(EngineDriver.PATIENCE).affected()).isEqualTo(Shop.READINGS);
  }

  @Test
  default void pauseAtEachRow_pushesAllRowsWithoutDeepStacks() {
    var sink = CollectingSink.demanding(count -> Demand.PAUSE);
    run(select("big", "id").orderBy(List.of(Order.ascending("id"))), sink);
    for (int row = 1; row <= 5_000; row++) {
      sink.awaitPause(EngineDriver.PATIENCE);
      sink.resume();
    }
    sink.awaitPause(EngineDriver.PATIENCE);
    sink.execution().cancel(ErrorCode.CANCELLED);
    sink.await(EngineDriver.PATIENCE);
    requireIds(sink, 5_001);
  }

  @Test
  default void pause_ofANestedSelect_isSupported() {
    var brand = EngineSuite.nested(shop().relationship("products", "brand"), column("name"));
    var select = Select.of(db().table("products"), List.of(column("id"), brand));
    var sink = CollectingSink.demanding(count -> count == 3 ? Demand.PAUSE : Demand.MORE);
    run(select, sink);
    sink.awaitPause(EngineDriver.PATIENCE).resume();
    assertThat(sink.await(EngineDriver.PATIENCE).count()).isEqualTo(8);
  }

  private static Output column(String name) {
    return EngineSuite.column(name);
  }

  @Test
  default void stop_endsAsCompleted() {
    var sink = CollectingSink.demanding(count -> count == 10 ? Demand.STOP : Demand.MORE);
    run(readings(), sink);
    sink.await(EngineDriver.PATIENCE);
    assertThat(sink.failure()).isNull();
    assertThat(sink.affected()).isEqualTo(10);
    requireIds(sink, 10);
  }

  @Test
  default void cancelWhilePaused_failsOnceWithItsReason() {
    var sink = CollectingSink.demanding(count -> count == 2 ? Demand.PAUSE : Demand.MORE);
    run(readings(), sink);
    sink.awaitPause(EngineDriver.PATIENCE);
    sink.execution().cancel(ErrorCode.CLIENT_GONE);
    sink.execution().cancel(ErrorCode.CANCELLED);
    sink.await(EngineDriver.PATIENCE);
    assertThat(Objects.requireNonNull(sink.failure()).code()).isEqualTo(ErrorCode.CLIENT_GONE);
    assertThat(sink.count()).isEqualTo(2);
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  @Test
  default void cancelAfterTheEnd_hasNoEffect() {
    var sink = new CollectingSink();
    run(readings(), sink);
    sink.await(EngineDriver.PATIENCE);
    sink.execution().cancel(ErrorCode.CANCELLED);
    sink.await(EngineDriver.PATIENCE);
    assertThat(sink.failure()).isNull();
  }

  /** A statement whose execution takes minutes. */
  private String slow() {
    return "select count(*) from \"big\" a, \"big\" b, \"big\" c where a.\"label\" < b.\"label\""
        + " and b.\"label\" < c.\"label\"";
  }

  private void requireCancelled(Operation operation, ErrorCode reason) throws InterruptedException {
    var sink = new CollectingSink();
    var prepared = db().prepare(operation);
    var runner = new Thread(() -> prepared.run(Arguments.NONE, null, sink));
    runner.start();
    var execution = sink.awaitStarted(EngineDriver.PATIENCE).execution();
    if (!supports(EngineBehavior.CANCEL)) {
      // No cancellation is possible; so the suite does not wait for it either.
      assertThat(sink.hasEnded()).isFalse();
      return;
    }
    execution.cancel(reason);
    sink.await(Duration.ofSeconds(20));
    assertThat(Objects.requireNonNull(sink.failure()).code()).isEqualTo(reason);
    runner.join();
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  @Test
  default void cancelOfALongStatement_failsWithItsReason() throws InterruptedException {
    if (!supports(EngineBehavior.VIEWS)) {
      requireCancelled(Script.of(slow()), ErrorCode.DEADLINE_EXCEEDED);
      return;
    }
    db().script("create view \"slow\" as " + slow().replace("count(*)", "count(*) as \"n\""));
    try {
      db().engine().refresh();
      requireCancelled(select("slow", "n"), ErrorCode.DEADLINE_EXCEEDED);
    } finally {
      db().script("drop view \"slow\"");
      db().engine().refresh();
    }
  }

  @Test
  default void cancelOfALongScript_failsWithItsReason() throws InterruptedException {
    requireCancelled(Script.of("select 1; " + slow()), ErrorCode.CANCELLED);
  }

  @Test
  default void cancelWithinStarted_executesNothing() {
    var sink = new CancellingSink(false);
    db().prepare(readings()).run(Arguments.NONE, null, sink);
    sink.await();
    assertThat(sink.code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    assertThat(sink.rows()).isZero();
  }

  /** The next execution on the same connection is not affected. */
  @Test
  default void cancelWithTheLastRow_doesNotAffectLaterExecutions() {
    for (int i = 0; i < 5; i++) {
      var sink = new CancellingSink(true);
      db().prepare(select("big", "id")).run(Arguments.NONE, null, sink);
      assertThat(sink.code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
      assertThat(db().rows(select("big", "id"), new Bindings())).hasSize(Shop.BIG_ROWS);
    }
  }

  @Test
  default void manyRows_areAllPushed() {
    var sum = new AtomicLong();
    var sink = CollectingSink.reading(row -> sum.addAndGet(row.longAt(0)));
    run(select("big", "id", "label"), sink);
    sink.await(EngineDriver.PATIENCE);
    assertThat(sink.count()).isEqualTo(Shop.BIG_ROWS);
    assertThat(sum.get()).isEqualTo((long) Shop.BIG_ROWS * (Shop.BIG_ROWS + 1) / 2);
    assertThat(sink.execution().statements()).isEqualTo(1);
  }

  @Test
  default void bufferedRows_areLimitedStreamedOnesAreNot() {
    var prices = EngineSuite.nested(shop().relationship("products", "prices"), column("amount"));
    var select = Select.of(db().table("products"), List.of(column("id"), prices));
    var few = CollectingSink.holdingAtMost(5);
    run(select, few);
    assertThat(Objects.requireNonNull(few.await(EngineDriver.PATIENCE).failure()).code())
        .isEqualTo(ErrorCode.TOO_MANY_ROWS);
    var enough = CollectingSink.holdingAtMost(15);
    run(select, enough);
    assertThat(enough.await(EngineDriver.PATIENCE).count()).isEqualTo(8);
    var flat = CollectingSink.holdingAtMost(5);
    run(readings(), flat);
    assertThat(flat.await(EngineDriver.PATIENCE).count()).isEqualTo(Shop.READINGS);
  }

  @Test
  default void failure_isReportedOnceAndTheEngineContinues() {
    for (int round = 0; round < 50; round++) {
      var bind = new Bindings();
      var wrong = select("products", "id").where(bind.equal("id", "no number"));
      assertThat(db().failure(wrong, bind).code()).isEqualTo(ErrorCode.INVALID_VALUE);
    }
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  @Test
  default void bounded_isTrueOnlyInProcessAndNotForScans() {
    var bind = new Bindings();
    var byKey = db().prepare(select("products", "id").where(bind.equal("id", 1)));
    assertThat(byKey.bounded(bind.arguments())).isEqualTo(supports(EngineBehavior.IN_PROCESS));
    var scan = db().prepare(select("big", "id"));
    assertThat(scan.bounded(Arguments.NONE)).isFalse();
  }

  @Test
  default void bounded_isFalseForScripts() {
    assertThat(db().prepare(Script.of(slow())).bounded(Arguments.NONE)).isFalse();
  }

  @Test
  default void prepared_returnsItsOperation() {
    assertThat(db().prepare(readings()).operation()).isEqualTo(readings());
  }

  @Test
  default void statements_areCountedDuringExecution() {
    var sink = new CollectingSink();
    run(Script.of("select 1; select 2; select 3"), sink);
    Execution execution = sink.await(EngineDriver.PATIENCE).execution();
    assertThat(execution.statements()).isEqualTo(3);
  }
}
