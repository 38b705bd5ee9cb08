// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;

/** Maps PostgreSQL's type names to types. */
final class PostgresTypeNames {

  private PostgresTypeNames() {}

  /**
   * The type of this name in pg_type; types without an equivalent are represented as text.
   *
   * @param ordered whether the server has an order for it
   */
  static DataType type(String name, boolean ordered) {
    return switch (name) {
      case "bool" -> DataType.Scalar.BOOLEAN;
      case "int2", "smallserial" -> DataType.Scalar.INT16;
      case "int4", "serial" -> DataType.Scalar.INT32;
      case "int8", "bigserial", "oid" -> DataType.Scalar.INT64;
      case "numeric" -> DataType.Scalar.DECIMAL;
      case "float4" -> DataType.Scalar.FLOAT32;
      case "float8" -> DataType.Scalar.FLOAT64;
      case "text", "varchar", "bpchar", "char", "name", "citext" -> DataType.Scalar.TEXT;
      case "bytea" -> DataType.Scalar.BINARY;
      case "date" -> DataType.Scalar.DATE;
      case "time" -> DataType.Scalar.TIME;
      case "timetz" -> DataType.Scalar.TIME_TZ;
      case "timestamp" -> DataType.Scalar.TIMESTAMP;
      case "timestamptz" -> DataType.Scalar.TIMESTAMP_TZ;
      case "interval" -> DataType.Scalar.INTERVAL;
      case "uuid" -> DataType.Scalar.UUID;
      case "json", "jsonb" -> DataType.Scalar.JSON;
      default -> new DataType.Other(name, ordered);
    };
  }
}
