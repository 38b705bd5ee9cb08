// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls a routine. Overloaded names are resolved by {@link Catalog#requireRoutine}.
 *
 * <p>For a set-returning function, the features of a select without relationships are available:
 * filters, an order, casts, an aggregate over all matching rows. For other routines, only columns;
 * anything else is {@code INVALID_OPERATION}.
 *
 * <p>In a read-only transaction, a routine that may write (see {@link Routine#readOnly}) fails with
 * {@code READ_ONLY}: when it writes, if the database can enforce that, else before its execution.
 *
 * @param schema the exact schema name
 * @param routine the exact routine name
 * @param arguments by the exact names of their parameters; those with a default may be absent,
 *     which differs from null
 * @param outputs the routine's result columns to return, as {@link Output.Column}; none if it
 *     returns nothing
 * @param where selects the rows to return; null for all
 * @param orderBy the order; empty for the routine's
 * @param limit the maximum number of rows, as in {@link Select}; null for all
 * @param offset the number of rows to skip, likewise; null if none
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

  /** Returns the whole result, in the routine's order. */
  public Call(
      String schema, String routine, Map<String, Parameter> arguments, List<Output> outputs) {
    this(schema, routine, arguments, outputs, null, List.of(), null, null);
  }

  /** Returns a call whose result equals that of a select from {@link Routine#asView()}. */
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

  /** Whether the columns of all rows are returned in the routine's order. */
  public boolean whole() {
    return where == null
        && orderBy.isEmpty()
        && limit == null
        && offset == null
        && outputs.stream().allMatch(Output.Column.class::isInstance);
  }

  /** Returns the select from {@link Routine#asView()} that describes the result. */
  public Select rows() {
    return Select.of(new TableName(schema, routine), outputs)
        .where(where)
        .orderBy(orderBy)
        .limit(limit)
        .offset(offset);
  }
}
