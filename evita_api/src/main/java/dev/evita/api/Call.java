// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls a routine. Of several that have the name, it is the one that {@link Catalog#requireRoutine}
 * names.
 *
 * <p>Of a function that answers many rows, what a select without relationships can ask of a table
 * can be asked: filters, an order, casts, an aggregate over all that pass. Of others, only columns;
 * all else is {@code INVALID_OPERATION}.
 *
 * <p>In a read-only transaction, a routine that may write ({@link Routine#readOnly}) fails with
 * {@code READ_ONLY}: by what it writes where the database can refuse that, else before it is run.
 *
 * @param schema the exact schema name
 * @param routine the exact routine name
 * @param arguments by the exact names of their parameters; those that have a default may be absent,
 *     which is another thing than null
 * @param outputs which of the routine's result columns come back, as {@link Output.Column}; none
 *     where it answers none
 * @param where which rows come back; null for all
 * @param orderBy the order; empty for the routine's
 * @param limit at most so many rows, as in {@link Select}; null for all
 * @param offset skips so many rows, likewise; null if none
 */
public record Call(
    String schema,
    String routine,
    Map<String, Parameter> arguments,
    List<Output> outputs,
    @Nullable Filter where,
    List<Order> orderBy,
    @Nullable Parameter limit,
    @Nullable Parameter offset)
    implements Operation {
  public Call {
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    outputs = List.copyOf(outputs);
    orderBy = List.copyOf(orderBy);
  }

  /** All that it answers, as it comes. */
  public Call(
      String schema, String routine, Map<String, Parameter> arguments, List<Output> outputs) {
    this(schema, routine, arguments, outputs, null, List.of(), null, null);
  }

  /** A call of which the database answers what a select of {@link Routine#asView()} would. */
  public static Call of(Routine routine, Map<String, Parameter> arguments, Select rows) {
    return new Call(
        routine.schema(),
        routine.name(),
        arguments,
        rows.outputs(),
        rows.where(),
        rows.orderBy(),
        rows.limit(),
        rows.offset());
  }

  /** Whether columns of all rows come back as the routine answers them. */
  public boolean whole() {
    return where == null
        && orderBy.isEmpty()
        && limit == null
        && offset == null
        && outputs.stream().allMatch(Output.Column.class::isInstance);
  }

  /** The select of {@link Routine#asView()} that says what comes back. */
  public Select rows() {
    return Select.of(new TableName(schema, routine), outputs)
        .where(where)
        .orderBy(orderBy)
        .limit(limit)
        .offset(offset);
  }
}
