// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.json.JsonShape.Node;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Casts in a selection. What shows the same JSON without one needs none: anything as text, and a
 * number as one of a wider type. All others are the engine's.
 */
public final class Casts {

  private static final List<Scalar> NUMBERS =
      List.of(
          Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.DECIMAL, Scalar.FLOAT32, Scalar.FLOAT64);
  private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar", "char");

  private Casts() {}

  /**
   * The node that shows a value so; null where the engine has to cast it to {@link #type}.
   *
   * @param name the column's, for messages
   * @throws RestFailure 42704 for a type that is not known
   */
  public static @Nullable Node shown(int slot, DataType type, String name, @Nullable String cast) {
    if (cast == null) {
      return new Node.Value(slot, type, false, name);
    }
    if (TEXTS.contains(cast)) {
      if (type instanceof DataType.Array) {
        throw refused(name, cast);
      }
      return new Node.Text(slot);
    }
    var target = type(cast);
    var from = NUMBERS.indexOf(type);
    var wider = from >= 0 && from <= NUMBERS.indexOf(target) && type != Scalar.DECIMAL;
    return target.equals(type) || wider ? new Node.Value(slot, type, false, name) : null;
  }

  /** A cast that is not done here. */
  public static RestFailure refused(String name, String cast) {
    return RestFailure.unsupported(
        "The cast of '%s' to '%s' is not supported".formatted(name, RestFailure.shortened(cast)),
        null);
  }

  /**
   * The type of this name.
   *
   * @throws RestFailure 42704
   */
  static Scalar type(String name) {
    return switch (name) {
      case "int2", "smallint" -> Scalar.INT16;
      case "int4", "int", "integer" -> Scalar.INT32;
      case "int8", "bigint" -> Scalar.INT64;
      case "numeric", "decimal" -> Scalar.DECIMAL;
      case "float4", "real" -> Scalar.FLOAT32;
      case "float8", "double precision" -> Scalar.FLOAT64;
      case "bool", "boolean" -> Scalar.BOOLEAN;
      case "date" -> Scalar.DATE;
      case "time" -> Scalar.TIME;
      case "timestamp" -> Scalar.TIMESTAMP;
      case "timestamptz" -> Scalar.TIMESTAMP_TZ;
      case "uuid" -> Scalar.UUID;
      case "json", "jsonb" -> Scalar.JSON;
      default ->
          throw new RestFailure(
              400,
              ErrorCode.UNSUPPORTED_OPERATION,
              "42704",
              "There is no type '" + RestFailure.shortened(name) + "' to cast to",
              null,
              "Types are text, int2, int4, int8, numeric, float4, float8, bool, date, time,"
                  + " timestamp, timestamptz, uuid and jsonb");
    };
  }
}
