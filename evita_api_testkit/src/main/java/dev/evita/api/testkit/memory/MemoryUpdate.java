// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Update;
import dev.evita.api.Update.Change;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An update. */
final class MemoryUpdate extends MemoryWrite {

  private static final Set<Scalar> NUMBERS =
      EnumSet.of(
          Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.DECIMAL, Scalar.FLOAT32, Scalar.FLOAT64);

  private final Update update;
  private final MemoryFilter.Compiled where;

  MemoryUpdate(MemoryEngine engine, Update update) {
    super(engine, update, update.table(), update.returning());
    this.update = update;
    this.where = new MemoryFilter(table()).compile(update.where());
    var names = new HashSet<String>();
    for (var change : update.changes()) {
      var column = column(table(), change.column());
      var wrong = change instanceof Change.Increment && !NUMBERS.contains(column.type());
      if (!names.add(change.column()) || wrong) {
        throw new EvitaException(
            ErrorCode.INVALID_OPERATION,
            "Column \"" + column.name() + "\" is set twice, or is no number to increment");
      }
    }
    if (names.isEmpty()) {
      throw new EvitaException(ErrorCode.INVALID_OPERATION, "The update has no changes");
    }
  }

  @Override
  List<@Nullable Object[]> change(Map<List<Object>, @Nullable Object[]> rows, Arguments arguments) {
    var condition = where.bind(arguments);
    var updated = new ArrayList<@Nullable Object[]>();
    for (var row : List.copyOf(rows.values())) {
      if (Boolean.TRUE.equals(condition.test(row))) {
        rows.remove(key(row));
        updated.add(changed(row, arguments));
      }
    }
    updated.forEach(row -> add(rows, row));
    return updated;
  }

  private @Nullable Object[] changed(@Nullable Object[] row, Arguments arguments) {
    var changed = row.clone();
    for (var change : update.changes()) {
      var column = column(table(), change.column());
      changed[position(column)] = value(change, column, row[position(column)], arguments);
    }
    return changed;
  }

  private static @Nullable Object value(
      Change change, Column column, @Nullable Object present, Arguments arguments) {
    return switch (change) {
      case Change.Assign(var name, var parameter) ->
          MemoryValues.stored(column, MemoryValues.argument(arguments, parameter));
      case Change.Default(var name) -> defaultOf(column);
      case Change.Increment(var name, var parameter) -> {
        var step = MemoryValues.stored(column, MemoryValues.argument(arguments, parameter));
        yield present == null || step == null
            ? null
            : MemoryValues.stored(column, MemoryValues.sum(present, step));
      }
    };
  }
}
