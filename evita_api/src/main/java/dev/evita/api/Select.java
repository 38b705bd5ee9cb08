// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one table, with related rows to any depth.
 *
 * <p>Costs at most one statement per level, whatever the number of rows. A select without nested
 * outputs streams from the engine's cursor in constant memory; one with nested outputs may buffer
 * its rows until the next level is read.
 *
 * <p>Inside a {@link Output.Nested}, {@code limit}, {@code offset} and {@code orderBy} apply per
 * parent row. With {@link Output.Aggregate}s and without {@code groupBy}, they select the rows that
 * are aggregated, and one row is returned (per parent); with {@code groupBy} they apply to the
 * groups, which can be ordered by their aggregates, too.
 *
 * @param from the table or view
 * @param outputs the values of each row; their positions are the slots of {@link Row}
 * @param where selects the rows; null for all
 * @param orderBy the order; empty for the engine's
 * @param distinctOn returns only the first row, by {@code orderBy}, of each combination of these
 *     columns
 * @param groupBy columns that rows are grouped by; with aggregates, plain columns must be listed
 *     here
 * @param limit the maximum number of rows (a non-negative integer, else the execution fails with
 *     {@code INVALID_VALUE}); null for all
 * @param offset the number of rows to skip (likewise); null if none
 * @param after keyset pagination: returns only rows after this position in {@code orderBy}: a value
 *     for each of its terms; empty to start at the beginning. The order should be total
 * @param before returns only rows before this position, likewise
 */
public record Select(
    TableName from,
    List<Output> outputs,
    @Nullable Filter where,
    List<Order> orderBy,
    List<String> distinctOn,
    List<String> groupBy,
    @Nullable Parameter limit,
    @Nullable Parameter offset,
    List<Parameter> after,
    List<Parameter> before)
    implements Operation {
  public Select {
    outputs = List.copyOf(outputs);
    orderBy = List.copyOf(orderBy);
    distinctOn = List.copyOf(distinctOn);
    groupBy = List.copyOf(groupBy);
    after = List.copyOf(after);
    before = List.copyOf(before);
  }

  /** All rows of a table, to be restricted by the {@code with} methods. */
  public static Select of(TableName from, List<Output> outputs) {
    return new Select(
        from, outputs, null, List.of(), List.of(), List.of(), null, null, List.of(), List.of());
  }

  /** All tables that it reads: its own, nested ones, those that it filters and orders by. */
  public Set<TableName> tables() {
    return TablesRead.by(this);
  }

  /** The tables that it reads besides its own; includes its own if that is read twice. */
  public Set<TableName> tablesBeside() {
    return TablesRead.beside(this);
  }

  public Select outputs(List<Output> shown) {
    return new Select(
        from, shown, where, orderBy, distinctOn, groupBy, limit, offset, after, before);
  }

  public Select where(@Nullable Filter filter) {
    return new Select(
        from, outputs, filter, orderBy, distinctOn, groupBy, limit, offset, after, before);
  }

  public Select orderBy(List<Order> order) {
    return new Select(
        from, outputs, where, order, distinctOn, groupBy, limit, offset, after, before);
  }

  public Select distinctOn(List<String> columns) {
    return new Select(
        from, outputs, where, orderBy, columns, groupBy, limit, offset, after, before);
  }

  public Select groupBy(List<String> columns) {
    return new Select(
        from, outputs, where, orderBy, distinctOn, columns, limit, offset, after, before);
  }

  public Select limit(@Nullable Parameter rows) {
    return new Select(
        from, outputs, where, orderBy, distinctOn, groupBy, rows, offset, after, before);
  }

  public Select offset(@Nullable Parameter rows) {
    return new Select(
        from, outputs, where, orderBy, distinctOn, groupBy, limit, rows, after, before);
  }

  public Select after(List<Parameter> position) {
    return new Select(
        from, outputs, where, orderBy, distinctOn, groupBy, limit, offset, position, before);
  }

  public Select before(List<Parameter> position) {
    return new Select(
        from, outputs, where, orderBy, distinctOn, groupBy, limit, offset, after, position);
  }
}
