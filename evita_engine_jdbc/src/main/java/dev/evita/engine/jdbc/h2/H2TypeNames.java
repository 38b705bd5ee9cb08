// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.DataType;

/** Maps H2's type names to types. */
final class H2TypeNames {

  private H2TypeNames() {}

  /** The type of this name in INFORMATION_SCHEMA. */
  static DataType type(String name) {
    return switch (name) {
      case "BOOLEAN" -> DataType.Scalar.BOOLEAN;
      case "TINYINT", "SMALLINT" -> DataType.Scalar.INT16;
      case "INTEGER" -> DataType.Scalar.INT32;
      case "BIGINT" -> DataType.Scalar.INT64;
      case "NUMERIC", "DECIMAL", "DECFLOAT" -> DataType.Scalar.DECIMAL;
      case "REAL" -> DataType.Scalar.FLOAT32;
      case "DOUBLE PRECISION", "FLOAT" -> DataType.Scalar.FLOAT64;
      case "CHARACTER VARYING", "CHARACTER", "VARCHAR_IGNORECASE", "CHARACTER LARGE OBJECT" ->
          DataType.Scalar.TEXT;
      case "BINARY VARYING", "BINARY", "BINARY LARGE OBJECT", "JAVA_OBJECT" ->
          DataType.Scalar.BINARY;
      case "DATE" -> DataType.Scalar.DATE;
      case "TIME" -> DataType.Scalar.TIME;
      case "TIME WITH TIME ZONE" -> DataType.Scalar.TIME_TZ;
      case "TIMESTAMP" -> DataType.Scalar.TIMESTAMP;
      case "TIMESTAMP WITH TIME ZONE" -> DataType.Scalar.TIMESTAMP_TZ;
      case "UUID" -> DataType.Scalar.UUID;
      case "JSON" -> DataType.Scalar.JSON;
      default ->
          name.startsWith("INTERVAL") ? DataType.Scalar.INTERVAL : new DataType.Other(name, true);
    };
  }

  /** The type of this name in the metadata of a result. */
  static DataType resultType(String name) {
    if (!name.endsWith(" ARRAY")) {
      return type(name);
    }
    var base = name.substring(0, name.length() - " ARRAY".length());
    return new DataType.Array(type(base.replaceAll("\\(.*?\\)", "")));
  }
}
