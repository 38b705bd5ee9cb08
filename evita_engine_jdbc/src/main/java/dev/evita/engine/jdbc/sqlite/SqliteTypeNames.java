// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import java.util.Locale;

/** Maps SQLite's type declarations to types. */
final class SqliteTypeNames {

  private SqliteTypeNames() {}

  /**
   * The type of a declaration, by SQLite's rules of affinity (section 3.1 of "Datatypes in
   * SQLite"), with additional names for decimals, booleans and smaller integers. A type without a
   * storage class is text as stored.
   */
  static DataType type(String declaration) {
    var name = declaration.toUpperCase(Locale.ROOT).replaceAll("\\(.*", "").strip();
    return switch (name) {
      // Wide enough for the unsigned types of other databases.
      case "TINYINT", "SMALLINT", "INT2", "MEDIUMINT", "INT4" -> DataType.Scalar.INT32;
      case "" -> DataType.Scalar.TEXT;
      default -> byAffinity(name);
    };
  }

  private static DataType byAffinity(String name) {
    if (name.contains("INT") && !name.contains("INTERVAL") && !name.contains("POINT")) {
      return DataType.Scalar.INT64;
    }
    if (name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT")) {
      return DataType.Scalar.TEXT;
    }
    if (name.contains("BLOB") || name.contains("BINARY")) {
      return DataType.Scalar.BINARY;
    }
    if (name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB")) {
      return DataType.Scalar.FLOAT64;
    }
    if (name.startsWith("BOOL")) {
      return DataType.Scalar.BOOLEAN;
    }
    var decimal = name.startsWith("DEC") || name.startsWith("NUM") || name.contains("MONEY");
    return decimal ? DataType.Scalar.DECIMAL : DataType.Scalar.TEXT;
  }
}
