// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.DataType;
import dev.evita.api.testkit.EngineBehavior;
import java.util.stream.Collectors;

/** The H2 names of types in DDL. */
final class H2Types {

  private H2Types() {}

  /** H2 converts negative zero to zero, and its regular expressions cannot be cancelled. */
  static boolean has(EngineBehavior behavior) {
    return behavior != EngineBehavior.NEGATIVE_ZERO
        && behavior != EngineBehavior.REGULAR_EXPRESSIONS
        && behavior != EngineBehavior.FULL_TEXT
        && behavior != EngineBehavior.JSON_CONTAINMENT;
  }

  static String name(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> scalar(scalar);
      case DataType.Array array -> name(array.element()) + " array";
      case DataType.Enumeration enumeration ->
          enumeration.labels().stream()
              .map(label -> "'" + label + "'")
              .collect(Collectors.joining(", ", "enum(", ")"));
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
      case TEXT -> "varchar";
      case BINARY -> "varbinary";
      case DATE -> "date";
      case TIME -> "time(9)";
      case TIME_TZ -> "time(9) with time zone";
      case TIMESTAMP -> "timestamp(9)";
      case TIMESTAMP_TZ -> "timestamp(9) with time zone";
      case INTERVAL -> "interval day to second(9)";
      case UUID -> "uuid";
      case JSON -> "json";
    };
  }
}
