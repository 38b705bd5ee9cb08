// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Prepared;
import dev.evita.api.Routine;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.sql.SelectCompiler;
import dev.evita.engine.jdbc.sql.SelectLevel;
import dev.evita.engine.jdbc.sql.SlotMapping;
import dev.evita.engine.jdbc.value.Codec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled call.
 *
 * @param level its statement and what comes back
 */
public record PreparedCall(
    EngineContext backend, Call operation, Routine routine, SelectLevel level) implements Prepared {

  /**
   * Compiles a call.
   *
   * @throws EvitaException as {@link Catalog#requireRoutine}; {@code UNKNOWN_COLUMN}
   */
  public static PreparedCall of(Call call, Catalog catalog, EngineContext backend) {
    var routine = catalog.requireRoutine(call.schema(), call.routine(), call.arguments().keySet());
    return call.whole() ? whole(call, routine, backend) : chosen(call, routine, catalog, backend);
  }

  /** The database chooses among the rows of a function as among those of a subquery. */
  private static PreparedCall chosen(
      Call call, Routine routine, Catalog catalog, EngineContext backend) {
    if (!routine.returnsMany() || routine.kind() == Routine.Kind.PROCEDURE) {
      throw JdbcErrors.invalid(
          "'%s' does not answer rows that could be chosen from".formatted(routine.name()));
    }
    var names = routine.result().stream().map(Column::name).toList();
    var all = backend.dialect().calls().call(routine, call.arguments(), names);
    var level =
        new SelectCompiler(catalog, backend.dialect()).compile(call.rows(), routine.asView(), all);
    return new PreparedCall(backend, call, routine, level);
  }

  private static PreparedCall whole(Call call, Routine routine, EngineContext backend) {
    var outputs = call.outputs().stream().map(output -> column(routine, output)).toList();
    var selected = routine.kind() == Routine.Kind.PROCEDURE ? routine.result() : outputs;
    var codecs = selected.stream().map(column -> codec(routine, column, backend.dialect()));
    var names = selected.stream().map(Column::name).toList();
    var text = backend.dialect().calls().call(routine, call.arguments(), names);
    var level =
        new SelectLevel(
            SlotMapping.flat(
                shape(outputs), outputs.stream().mapToInt(selected::indexOf).toArray()),
            names,
            codecs.toArray(Codec[]::new),
            List.of(),
            new int[0],
            new Codec[0],
            false,
            text,
            () -> text,
            new boolean[0]);
    return new PreparedCall(backend, call, routine, level);
  }

  private static Column column(Routine routine, Output output) {
    if (!(output instanceof Output.Column(var name))) {
      throw JdbcErrors.invalid("a call answers columns alone, but got " + output);
    }
    return routine.result().stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_COLUMN,
                "Routine '%s' answers no column '%s'".formatted(routine.name(), name)));
  }

  private static Codec codec(Routine routine, Column column, Dialect dialect) {
    var where = routine.name() + "." + column.name();
    return dialect.values().codec(column.type(), column.nativeType(), where);
  }

  private static RowShape shape(List<Column> outputs) {
    var slots = new ArrayList<RowShape.Slot>();
    outputs.forEach(column -> slots.add(new RowShape.ValueSlot(column.name(), column.type())));
    return new RowShape(slots);
  }

  @Override
  public RowShape shape() {
    return level.shape();
  }

  /** Never: nobody knows what a routine does. */
  @Override
  public boolean bounded(Arguments arguments) {
    return false;
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    var own = (JdbcTransaction) transaction;
    var run =
        routine.readOnly()
            ? new ReadOnlyCallExecution(this, arguments, own, sink)
            : new WritingCallExecution(this, arguments, own, sink);
    run.start();
  }
}
