// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;

/** The PostgreSQL names of types in DDL. */
final class PostgresTypes {

  private PostgresTypes() {}

  static String name(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> scalar(scalar);
      case DataType.Array array -> name(array.element()) + "[]";
      case DataType.Enumeration enumeration -> enumeration.name();
      case DataType.Other other -> other.name();
    };
  }

  private static String scalar(DataType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> "boolean";
      case INT16 -> "smallint";
      case INT32 -> "integer";
      case INT64 -> "bigint";
      case DECIMAL -> "decimal(38, 10)";
      case FLOAT32 -> "real";
      case FLOAT64 -> "double precision";
      case TEXT -> "text";
      case BINARY -> "bytea";
      case DATE -> "date";
      case TIME -> "time";
      case TIME_TZ -> "time with time zone";
      case TIMESTAMP -> "timestamp";
      case TIMESTAMP_TZ -> "timestamp with time zone";
      case INTERVAL -> "interval";
      case UUID -> "uuid";
      case JSON -> "jsonb";
    };
  }
}
