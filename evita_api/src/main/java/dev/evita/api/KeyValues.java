// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The primary key of one row: two are equal if and only if the database considers the keys equal.
 *
 * <p>Only keys of integers and UUIDs are supported. Whether two texts are the same key depends on
 * the database's collation, and decimals and times have several representations of one value.
 *
 * @param values {@code Long} or {@code UUID}, in the order of the key's columns
 */
public record KeyValues(List<Object> values) {
  public KeyValues {
    values = List.copyOf(values);
  }

  /**
   * Returns the key of a row.
   *
   * @param value returns the value of a key column; null if unknown
   * @return empty if the table has no primary key, or the key cannot be determined
   */
  public static Optional<KeyValues> of(Table table, Function<String, @Nullable Object> value) {
    var key = table.primaryKey();
    if (key == null) {
      return Optional.empty();
    }
    var values = new ArrayList<Object>(key.columns().size());
    for (var name : key.columns()) {
      var type = table.column(name).map(Column::type).orElse(null);
      var comparable = type == null ? null : comparable(type, value.apply(name));
      if (comparable == null) {
        return Optional.empty();
      }
      values.add(comparable);
    }
    return Optional.of(new KeyValues(values));
  }

  private static @Nullable Object comparable(DataType type, @Nullable Object value) {
    return switch (type) {
      case DataType.Scalar.INT16, DataType.Scalar.INT32, DataType.Scalar.INT64 ->
          switch (value) {
            case Long number -> number;
            case Integer number -> number.longValue();
            case Short number -> number.longValue();
            case null, default -> null;
          };
      case DataType.Scalar.UUID -> value instanceof UUID uuid ? uuid : null;
      default -> null;
    };
  }

  /**
   * Returns the only key of the rows that can pass a filter.
   *
   * @return empty if rows of several keys may pass, or the key cannot be determined
   */
  public static Optional<KeyValues> required(
      Table table, @Nullable Filter filter, Arguments arguments) {
    var equal = new HashMap<String, @Nullable Object>();
    collect(filter, arguments, equal);
    return of(table, equal::get);
  }

  private static void collect(
      @Nullable Filter filter, Arguments arguments, Map<String, @Nullable Object> equal) {
    if (filter instanceof Filter.And(var filters)) {
      filters.forEach(each -> collect(each, arguments, equal));
    } else if (filter instanceof Filter.Compare(var column, var comparison, var parameter)
        && comparison == Comparison.EQUAL) {
      equal.put(column, arguments.get(parameter));
    }
  }
}
