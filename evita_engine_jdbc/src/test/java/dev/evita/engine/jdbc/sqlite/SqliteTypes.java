// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import org.jspecify.annotations.Nullable;

/** The SQLite names of types in DDL; null if there is none. */
final class SqliteTypes {

  private SqliteTypes() {}

  static @Nullable String name(DataType type) {
    return type instanceof DataType.Scalar scalar
        ? switch (scalar) {
          case BOOLEAN -> "boolean";
          case INT32 -> "int4";
          case INT64 -> "bigint";
          case DECIMAL -> "decimal(38, 10)";
          case FLOAT64 -> "double";
          case TEXT -> "text";
          case BINARY -> "blob";
          case INT16, FLOAT32, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, INTERVAL, UUID, JSON ->
              null;
        }
        : null;
  }
}
