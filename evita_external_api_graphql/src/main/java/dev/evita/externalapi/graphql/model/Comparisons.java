// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Capability;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hasura's comparison operators. */
public final class Comparisons {

  public static final String IN = "_in";
  public static final String NOT_IN = "_nin";
  public static final String IS_NULL = "_is_null";

  /** An operator of one operand. */
  public record Operator(Comparison comparison, boolean negated) {}

  private static final Map<String, Operator> OPERATORS =
      Map.ofEntries(
          Map.entry("_eq", new Operator(Comparison.EQUAL, false)),
          Map.entry("_neq", new Operator(Comparison.NOT_EQUAL, false)),
          Map.entry("_gt", new Operator(Comparison.GREATER, false)),
          Map.entry("_gte", new Operator(Comparison.GREATER_OR_EQUAL, false)),
          Map.entry("_lt", new Operator(Comparison.LESS, false)),
          Map.entry("_lte", new Operator(Comparison.LESS_OR_EQUAL, false)),
          Map.entry("_like", new Operator(Comparison.LIKE, false)),
          Map.entry("_nlike", new Operator(Comparison.LIKE, true)),
          Map.entry("_ilike", new Operator(Comparison.ILIKE, false)),
          Map.entry("_nilike", new Operator(Comparison.ILIKE, true)),
          Map.entry("_regex", new Operator(Comparison.MATCHES, false)),
          Map.entry("_nregex", new Operator(Comparison.MATCHES, true)),
          Map.entry("_iregex", new Operator(Comparison.IMATCHES, false)),
          Map.entry("_niregex", new Operator(Comparison.IMATCHES, true)),
          Map.entry("_contains", new Operator(Comparison.CONTAINS, false)),
          Map.entry("_contained_in", new Operator(Comparison.CONTAINED_IN, false)));

  private Comparisons() {}

  public static @Nullable Operator operator(String name) {
    return OPERATORS.get(name);
  }

  /** The operators that take one value of the type itself. */
  public static List<String> of(DataType type, Set<Capability> capabilities) {
    var operators = new ArrayList<>(List.of("_eq", "_neq"));
    if (ordered(type)) {
      operators.addAll(List.of("_gt", "_gte", "_lt", "_lte"));
    }
    if (type == DataType.Scalar.TEXT) {
      if (capabilities.contains(Capability.LIKE)) {
        operators.addAll(List.of("_like", "_nlike", "_ilike", "_nilike"));
      }
      if (capabilities.contains(Capability.REGULAR_EXPRESSIONS)) {
        operators.addAll(List.of("_regex", "_nregex", "_iregex", "_niregex"));
      }
    }
    if (contains(type, capabilities)) {
      operators.addAll(List.of("_contains", "_contained_in"));
    }
    return operators;
  }

  private static boolean contains(DataType type, Set<Capability> capabilities) {
    return type instanceof DataType.Array(var element)
        ? element instanceof DataType.Scalar && capabilities.contains(Capability.ARRAYS)
        : type == DataType.Scalar.JSON && capabilities.contains(Capability.JSON_CONTAINMENT);
  }

  /** Whether values can be members of a list in a comparison. */
  public static boolean listed(DataType type) {
    return !(type instanceof DataType.Array) && type != DataType.Scalar.JSON;
  }

  private static boolean ordered(DataType type) {
    return !(type instanceof DataType.Array) && type != DataType.Scalar.JSON;
  }

  /** Whether rows can be ordered by such a column. */
  public static boolean sortable(DataType type) {
    return ordered(type);
  }

  /** Whether sums and averages of the type exist. */
  static boolean numeric(DataType type) {
    return summed(type) != null;
  }

  /** Whether every database supports the minimum and maximum of the type. */
  static boolean extremes(DataType type) {
    return type instanceof DataType.Scalar scalar
        && switch (scalar) {
          case INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64 -> true;
          case TEXT, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> true;
          case BOOLEAN, BINARY, INTERVAL, UUID, JSON -> false;
        };
  }

  /** Returns the type of a sum, which does not overflow where the column's own type would. */
  public static DataType.Scalar sumType(DataType type) {
    return Objects.requireNonNull(summed(type), () -> "no sum of " + type);
  }

  private static DataType.@Nullable Scalar summed(DataType type) {
    return type instanceof DataType.Scalar scalar
        ? switch (scalar) {
          case INT16, INT32 -> DataType.Scalar.INT64;
          case INT64, DECIMAL -> DataType.Scalar.DECIMAL;
          case FLOAT32, FLOAT64 -> DataType.Scalar.FLOAT64;
          case BOOLEAN, TEXT, BINARY, UUID, JSON -> null;
          case DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, INTERVAL -> null;
        }
        : null;
  }
}
