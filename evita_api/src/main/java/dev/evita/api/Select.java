// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one table, with related rows to any depth.
 *
 * <p>Costs at most one statement per level, whatever the number of rows. A select without nested
 * outputs streams from the engine's cursor in constant memory; one with nested outputs may hold its
 * rows until the next level is read.
 *
 * <p>Inside a {@link Output.Nested}, {@code limit}, {@code offset} and {@code orderBy} hold per
 * parent row. With {@link Output.Aggregate}s and without {@code groupBy}, they say which rows are
 * aggregated and one row comes back (per parent); with {@code groupBy} they apply to the groups,
 * which can be ordered by their aggregates, too.
 *
 * @param from the table or view
 * @param outputs what each row holds, in this order; their positions are the slots of {@link Row}
 * @param where which rows; null for all
 * @param orderBy the order; empty for the engine's
 * @param distinctOn only the first row, by {@code orderBy}, of each combination of these columns
 * @param groupBy columns that rows are grouped by; with aggregates, plain columns must stand here
 * @param limit at most so many rows (a non-negative integer, else the run fails with {@code
 *     INVALID_VALUE}); null for all
 * @param offset skips so many rows (likewise); null if none
 * @param after only rows that stand after this position in {@code orderBy}: a value for each of its
 *     terms; empty for from the start. The order should be total
 * @param before only rows that stand before this position, likewise
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

  /** All rows of a table, to be narrowed by the {@code with} methods. */
  public static Select of(TableName from, List<Output> outputs) {
    return new Select(
        from, outputs, null, List.of(), List.of(), List.of(), null, null, List.of(), List.of());
  }

  /** All tables that it reads: its own, nested ones, those that it filters and orders by. */
  public Set<TableName> tables() {
    return TablesRead.by(this);
  }

  /** Those that it reads beside its own; which is among them where it is read twice. */
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
