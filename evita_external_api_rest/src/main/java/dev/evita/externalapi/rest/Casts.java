// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.externalapi.core.Shape.Node;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a cast in a selection does to JSON: anything can be shown as text, and a number as one of a
 * wider type; other casts would have to be the engine's.
 */
final class Casts {

  private static final List<Scalar> NUMBERS =
      List.of(
          Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.DECIMAL, Scalar.FLOAT32, Scalar.FLOAT64);
  private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar", "char");

  private Casts() {}

  /**
   * The node that shows the column so.
   *
   * @throws RestFailure 0A000
   */
  static Node node(int slot, Column column, @Nullable String cast) {
    if (cast == null) {
      return new Node.Value(slot, column.type(), false, column.name());
    }
    if (TEXTS.contains(cast) && !(column.type() instanceof DataType.Array)) {
      return new Node.Text(slot);
    }
    var target = type(cast);
    var from = NUMBERS.indexOf(column.type());
    if (target != null
        && (target.equals(column.type()) || (from >= 0 && from <= NUMBERS.indexOf(target)))) {
      return new Node.Value(slot, column.type(), false, column.name());
    }
    throw RestFailure.unsupported(
        "The cast of '%s' from %s to '%s' is not supported"
            .formatted(column.name(), column.nativeType(), RestFailure.shortened(cast)),
        "Every column can be cast to text");
  }

  private static @Nullable DataType type(String name) {
    return switch (name) {
      case "int2", "smallint" -> Scalar.INT16;
      case "int4", "int", "integer" -> Scalar.INT32;
      case "int8", "bigint" -> Scalar.INT64;
      case "numeric", "decimal" -> Scalar.DECIMAL;
      case "float4", "real" -> Scalar.FLOAT32;
      case "float8", "double precision" -> Scalar.FLOAT64;
      case "bool", "boolean" -> Scalar.BOOLEAN;
      case "date" -> Scalar.DATE;
      case "timestamp" -> Scalar.TIMESTAMP;
      case "timestamptz" -> Scalar.TIMESTAMP_TZ;
      case "uuid" -> Scalar.UUID;
      case "json", "jsonb" -> Scalar.JSON;
      default -> null;
    };
  }
}
