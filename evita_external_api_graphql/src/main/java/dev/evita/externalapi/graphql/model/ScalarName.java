// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.DataType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hasura's names for the types that all databases share. */
public final class ScalarName {

  public static final String INT = "Int";
  static final String FLOAT = "Float";
  public static final String STRING = "String";
  public static final String BOOLEAN = "Boolean";

  /** Hasura's names for those PostgreSQL types that have no scalar of their own. */
  private static final Map<String, DataType.Scalar> ALIASES = Map.of("jsonb", DataType.Scalar.JSON);

  private ScalarName() {}

  public static String of(DataType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> BOOLEAN;
      case INT16 -> "smallint";
      case INT32 -> INT;
      case INT64 -> "bigint";
      case DECIMAL -> "numeric";
      case FLOAT32 -> FLOAT;
      case FLOAT64 -> "float8";
      case TEXT -> STRING;
      case BINARY -> "bytea";
      case DATE -> "date";
      case TIME -> "time";
      case TIME_TZ -> "timetz";
      case TIMESTAMP -> "timestamp";
      case TIMESTAMP_TZ -> "timestamptz";
      case INTERVAL -> "interval";
      case UUID -> "uuid";
      case JSON -> "json";
    };
  }

  /** Returns the scalar for which documents may use this name as well; null for none. */
  public static @Nullable String ofAlias(String alias) {
    var type = ALIASES.get(alias);
    return type == null ? null : of(type);
  }

  /** Whether GraphQL itself defines the scalar. */
  static boolean builtIn(String name) {
    return List.of(INT, FLOAT, STRING, BOOLEAN).contains(name);
  }
}
