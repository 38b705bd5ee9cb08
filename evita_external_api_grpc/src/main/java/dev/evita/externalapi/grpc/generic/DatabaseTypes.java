// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.DataType;

/** The column types as the enumeration {@code Type}, whose numbers never change. */
final class DatabaseTypes {

  /** The types by their numbers. */
  static final String[] NAMES = {
    "TYPE_UNKNOWN",
    "BOOLEAN",
    "INT16",
    "INT32",
    "INT64",
    "FLOAT32",
    "FLOAT64",
    "TEXT",
    "BINARY",
    "ARRAY",
    "DECIMAL",
    "DATE",
    "TIME",
    "TIME_TZ",
    "TIMESTAMP",
    "TIMESTAMP_TZ",
    "INTERVAL",
    "UUID",
    "JSON",
    "ENUMERATION",
    "OTHER"
  };

  private DatabaseTypes() {}

  /** Returns the number of a type. */
  static int number(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar ->
          switch (scalar) {
            case BOOLEAN -> 1;
            case INT16 -> 2;
            case INT32 -> 3;
            case INT64 -> 4;
            case FLOAT32 -> 5;
            case FLOAT64 -> 6;
            case TEXT -> 7;
            case BINARY -> 8;
            case DECIMAL -> 10;
            case DATE -> 11;
            case TIME -> 12;
            case TIME_TZ -> 13;
            case TIMESTAMP -> 14;
            case TIMESTAMP_TZ -> 15;
            case INTERVAL -> 16;
            case UUID -> 17;
            case JSON -> 18;
          };
      case DataType.Array array -> 9;
      case DataType.Enumeration labels -> 19;
      case DataType.Other other -> 20;
    };
  }
}
