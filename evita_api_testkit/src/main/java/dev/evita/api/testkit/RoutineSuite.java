// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.await;
import static dev.evita.api.testkit.EngineDriver.row;
import static dev.evita.api.testkit.EngineSuite.columns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Comparison;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.api.TableName;
import dev.evita.api.TransactionOptions;
import dev.evita.api.TransactionOptions.Isolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stored routines, as created by {@link EngineDialect#routineDefinitions}. */
interface RoutineSuite extends EngineSuite {

  private boolean lacking() {
    if (supports(EngineBehavior.ROUTINES)) {
      return false;
    }
    assertThat(db().catalog().routines()).isEmpty();
    var call = new Call(db().catalog().defaultSchema(), "kit_sum", Map.of(), List.of());
    requireUnsupported(call, new Bindings());
    return true;
  }

  private Routine routine(String name) {
    return db().catalog().routines().stream()
        .filter(routine -> routine.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A call with these arguments for the parameters, in their order. */
  private Call call(Bindings bind, String name, @Nullable Object... values) {
    var routine = routine(name);
    var arguments = new LinkedHashMap<String, Parameter>();
    for (int i = 0; i < values.length; i++) {
      arguments.put(routine.parameters().get(i).name(), bind.value(values[i]));
    }
    var outputs =
        routine.result().stream().<Output>map(column -> new Output.Column(column.name())).toList();
    return new Call(routine.schema(), name, arguments, outputs);
  }

  private List<List<@Nullable Object>> called(String name, @Nullable Object... values) {
    var bind = new Bindings();
    return db().rows(call(bind, name, values), bind);
  }

  private EvitaException.Code failure(String name, @Nullable Object... values) {
    var bind = new Bindings();
    return db().failure(call(bind, name, values), bind).code();
  }

  private List<@Nullable Object> ids() {
    return db().column(select("items", "id"));
  }

  @Test
  default void catalog_containsRoutines() {
    if (lacking()) {
      return;
    }
    var sum = routine("kit_sum");
    assertThat(sum.parameters()).hasSize(2).allMatch(each -> each.type() == Scalar.INT32);
    assertThat(sum.parameters()).allMatch(each -> each.defaultExpression() == null);
    assertThat(sum.scalar()).isTrue();
    assertThat(sum.returnsMany()).isFalse();
    assertThat(sum.readOnly()).isTrue();
    var numbers = routine("kit_numbers");
    assertThat(numbers.returnsMany()).isTrue();
    assertThat(numbers.scalar()).isFalse();
    assertThat(numbers.result()).hasSize(2);
    assertThat(numbers.result().get(1).type()).isEqualTo(Scalar.TEXT);
    assertThat(routine("kit_put").readOnly()).isFalse();
    assertThat(routine("kit_clear").result()).isEmpty();
  }

  @Test
  default void scalar_isOneRowOfOneColumn() {
    if (lacking()) {
      return;
    }
    assertThat(called("kit_sum", 2, 40)).containsExactly(row(42));
    assertThat(called("kit_sum", 2, -2)).containsExactly(row(0));
  }

  @Test
  default void rows_keepTheirOrderAndSelectedColumns() {
    if (lacking()) {
      return;
    }
    assertThat(called("kit_numbers", 3)).containsExactly(row(1, "n1"), row(2, "n2"), row(3, "n3"));
    assertThat(called("kit_numbers", 0)).isEmpty();
    var bind = new Bindings();
    var whole = call(bind, "kit_numbers", 2);
    var label = routine("kit_numbers").result().get(1).name();
    assertThat(db().column(withOutputs(whole, columns(label)), bind)).containsExactly("n1", "n2");
    assertThat(db().rows(withOutputs(whole, List.of()), bind)).containsExactly(row(), row());
  }

  private static Call withOutputs(Call call, List<Output> outputs) {
    return new Call(call.schema(), call.routine(), call.arguments(), outputs);
  }

  @Test
  default void rows_canBeFilteredAndOrdered() {
    if (lacking()) {
      return;
    }
    var bind = new Bindings();
    var whole = call(bind, "kit_numbers", 9);
    var names = routine("kit_numbers").result().stream().map(column -> column.name()).toList();
    var where =
        new Filter.And(
            List.of(
                new Filter.Compare(names.get(0), Comparison.GREATER, bind.value(2)),
                new Filter.In(names.get(1), bind.value(List.of("n1", "n3", "n5", "n7", "n8")))));
    var rows =
        new Call(
            whole.schema(),
            whole.routine(),
            whole.arguments(),
            List.of(
                new Output.Column(names.get(0)),
                new Output.Cast(new Output.Column(names.get(0)), Scalar.INT64)),
            where,
            List.of(Order.descending(names.get(0))),
            bind.value(2),
            bind.value(1));
    assertThat(db().rows(rows, bind)).containsExactly(row(7, 7L), row(5, 5L));
    var count = new Output.Aggregate(Output.Function.COUNT, List.of(), false);
    var counted =
        new Call(
            whole.schema(),
            whole.routine(),
            whole.arguments(),
            List.of(count),
            where,
            List.of(),
            null,
            null);
    assertThat(db().column(counted, bind)).containsExactly(4L);
  }

  @Test
  default void plainValues_cannotBeFiltered() {
    if (lacking()) {
      return;
    }
    var bind = new Bindings();
    var whole = call(bind, "kit_sum", 1, 2);
    var limited =
        new Call(
            whole.schema(),
            whole.routine(),
            whole.arguments(),
            whole.outputs(),
            null,
            List.of(),
            bind.value(1),
            null);
    assertThat(db().failure(limited, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
  }

  @Test
  default void manyRows_canBePausedAndCancelled() {
    if (lacking()) {
      return;
    }
    assertThat(called("kit_numbers", 5_000)).hasSize(5_000);
    var bind = new Bindings();
    var cancelling = new CancellingSink(false);
    db().prepare(call(bind, "kit_numbers", 5_000)).run(bind.arguments(), null, cancelling);
    cancelling.await();
    assertThat(called("kit_sum", 1, 1)).containsExactly(row(2));
  }

  @Test
  default void writingCall_isCommittedAlone() {
    if (lacking()) {
      return;
    }
    assertThat(called("kit_put", 7, "seven")).containsExactly(row(7));
    assertThat(ids()).containsExactly(7L);
    assertThat(called("kit_clear")).containsExactly(row());
    assertThat(ids()).isEmpty();
  }

  @Test
  default void writingCall_isPartOfItsTransaction() {
    if (lacking()) {
      return;
    }
    for (var committed : List.of(false, true)) {
      var transaction = db().begin(TransactionOptions.DEFAULT);
      var bind = new Bindings();
      assertThat(db().rows(call(bind, "kit_put", 1, "one"), bind, transaction))
          .containsExactly(row(1));
      await(committed ? transaction.commit() : transaction.rollback());
      assertThat(ids()).hasSize(committed ? 1 : 0);
    }
  }

  @Test
  default void raisingRoutine_isRaisedAndRolledBack() {
    if (lacking()) {
      return;
    }
    var bind = new Bindings();
    var failure = db().failure(call(bind, "kit_put", 1, "bad"), bind);
    assertThat(failure.code()).isEqualTo(ErrorCode.RAISED);
    assertThat(failure).hasMessage("no bad ones");
    assertThat(ids()).isEmpty();
    var transaction = db().begin(TransactionOptions.DEFAULT);
    var kept = new Bindings();
    db().rows(call(kept, "kit_put", 2, "good"), kept, transaction);
    var refused = new Bindings();
    db().failure(call(refused, "kit_put", 1, "bad"), refused, transaction);
    await(transaction.commit());
    assertThat(ids()).containsExactly(2L);
  }

  @Test
  default void constraints_inRoutines_areEnforced() {
    if (lacking()) {
      return;
    }
    called("kit_put", 1, "one");
    assertThat(failure("kit_put", 1, "other")).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
    assertThat(failure("kit_put", 2, null)).isEqualTo(ErrorCode.NOT_NULL_VIOLATION);
    if (supports(EngineBehavior.LENGTH_LIMITS)) {
      assertThat(failure("kit_put", 2, "longer than it may be"))
          .isEqualTo(ErrorCode.VALUE_TOO_LONG);
    }
    assertThat(failure("kit_sum", 2, Integer.MAX_VALUE)).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
    assertThat(failure("kit_sum", 2, "x")).isEqualTo(ErrorCode.INVALID_VALUE);
    assertThat(ids()).containsExactly(1L);
  }

  @Test
  default void readOnlyRoutine_cannotWrite() {
    if (lacking()) {
      return;
    }
    var bind = new Bindings();
    var failure = db().run(call(bind, "kit_sly", 9), bind.arguments(), null).failure();
    if (failure != null) {
      assertThat(failure.code()).isEqualTo(ErrorCode.READ_ONLY);
    }
    assertThat(ids()).isEmpty();
    called("kit_put", 1, "one");
    assertThat(ids()).containsExactly(1L);
  }

  @Test
  default void writingCall_inAReadOnlyTransaction_isRejected() {
    if (lacking()) {
      return;
    }
    var transaction = db().begin(new TransactionOptions(Isolation.DEFAULT, true));
    var bind = new Bindings();
    assertThat(db().failure(call(bind, "kit_put", 1, "one"), bind, transaction).code())
        .isEqualTo(ErrorCode.READ_ONLY);
    await(transaction.rollback());
  }

  @Test
  default void unmatchedArguments_areRejected() {
    if (lacking()) {
      return;
    }
    assertThat(failure("kit_sum", 1)).isEqualTo(ErrorCode.INVALID_OPERATION);
    var sum = routine("kit_sum");
    var unknown = new Call(sum.schema(), sum.name(), Map.of("no", new Parameter(0)), List.of());
    assertThat(db().failure(unknown, new Bindings()).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
    var bind = new Bindings();
    var column = withOutputs(call(bind, "kit_sum", 1, 2), columns("nothing"));
    assertThat(db().failure(column, bind).code()).isEqualTo(ErrorCode.UNKNOWN_COLUMN);
    assertThat(db().prepare(call(bind, "kit_sum", 1, 2)).bounded(Arguments.NONE)).isFalse();
  }

  @Test
  default void routineWrites_arePublished() {
    if (lacking() || !supports(EngineBehavior.WATCH)) {
      return;
    }
    var published = Collections.synchronizedList(new ArrayList<Set<TableName>>());
    try (var registration = db().engine().watch((sequence, tables) -> published.add(tables))) {
      Objects.requireNonNull(registration);
      called("kit_sum", 1, 2);
      called("kit_put", 1, "one");
    }
    assertThat(published).hasSize(1);
    assertThat(published.getFirst()).contains(db().table("items"));
  }
}
