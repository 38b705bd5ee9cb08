// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A select. Rows are filtered while they are pushed; only an order needs all of them at once. */
final class MemorySelect extends MemoryStatement {

  private final Select select;
  private final MemoryFilter.Compiled where;
  private final @Nullable Comparator<@Nullable Object[]> order;

  MemorySelect(MemoryEngine engine, Select select) {
    super(engine, select, select.from(), select.outputs());
    this.select = select;
    this.where = new MemoryFilter(table()).compile(select.where());
    this.order = order();
  }

  private @Nullable Comparator<@Nullable Object[]> order() {
    Comparator<@Nullable Object[]> all = null;
    for (var term : select.orderBy()) {
      var by = comparator(term);
      all = all == null ? by : all.thenComparing(by);
    }
    return all;
  }

  private Comparator<@Nullable Object[]> comparator(Order term) {
    if (!(term.value() instanceof Output.Column(var name))) {
      throw new IllegalStateException("no capability for " + term);
    }
    var slot = position(column(table(), name));
    Comparator<Object> values = MemoryValues::compare;
    if (term.direction() == Order.Direction.DESCENDING) {
      values = values.reversed();
    }
    var nulls =
        term.nulls() == Order.Nulls.FIRST
            ? Comparator.<Object>nullsFirst(values)
            : Comparator.<Object>nullsLast(values);
    return (left, right) -> nulls.compare(left[slot], right[slot]);
  }

  /** One row by its key is found at once; all else may take long. */
  @Override
  public boolean bounded(Arguments arguments) {
    return onlyKey(select.where(), arguments) != null;
  }

  @Override
  MemoryExecution.Result execute(Arguments arguments, @Nullable MemoryTransaction transaction) {
    var all = rows(transaction == null ? engine().state() : transaction.current());
    var condition = where.bind(arguments);
    var key = onlyKey(select.where(), arguments);
    var row = key == null ? null : all.get(key);
    Stream<@Nullable Object[]> rows =
        key == null
            ? all.values().stream()
            : row == null ? Stream.empty() : Stream.of(new Object[][] {row});
    rows = rows.filter(each -> Boolean.TRUE.equals(condition.test(each)));
    if (order != null) {
      rows = rows.sorted(order);
    }
    rows = rows.skip(count(arguments, select.offset(), 0));
    rows = rows.limit(count(arguments, select.limit(), Long.MAX_VALUE));
    return new MemoryExecution.Result(rows.map(this::output).iterator(), -1);
  }

  private static long count(Arguments arguments, @Nullable Parameter parameter, long absent) {
    if (parameter == null) {
      return absent;
    }
    var value = MemoryValues.argument(arguments, parameter);
    if (value instanceof Number number && number.longValue() >= 0) {
      return number.longValue();
    }
    throw new EvitaException(
        ErrorCode.INVALID_VALUE, "\"" + value + "\" is no number of rows; expected 0 or more");
  }
}
