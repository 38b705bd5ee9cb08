// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Table;

/** Looks up columns by name and classifies their types. */
public final class Columns {

  private Columns() {}

  /**
   * Returns the column of this name.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  public static Column named(Table table, String name) {
    return table
        .column(name)
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_COLUMN,
                "Column '" + name + "' does not exist in table '" + table.name() + "'"));
  }

  public static boolean isNumber(DataType type) {
    return type instanceof DataType.Scalar scalar
        && switch (scalar) {
          case INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64 -> true;
          case BOOLEAN, TEXT, BINARY, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> false;
          case INTERVAL, UUID, JSON -> false;
        };
  }

  public static boolean isInteger(DataType type) {
    return type == DataType.Scalar.INT16
        || type == DataType.Scalar.INT32
        || type == DataType.Scalar.INT64;
  }
}
