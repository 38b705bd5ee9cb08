// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Capability;
import dev.evita.api.DataType;
import dev.evita.externalapi.graphql.model.Comparisons;
import dev.evita.externalapi.graphql.model.ScalarName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The chances of a {@link RandomDocument}, and the values and variables that it draws. */
final class RandomSource {

  private final Random random;
  private final List<String> declarations = new ArrayList<>();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private int names;

  RandomSource(long seed) {
    this.random = new Random(seed);
  }

  /** In parentheses; empty where there are none. */
  String declarations() {
    return declarations.isEmpty() ? "" : "(" + String.join(", ", declarations) + ")";
  }

  /** As JSON. */
  String variables() {
    return variables.entrySet().stream()
        .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Less than the bound. */
  int next(int bound) {
    return random.nextInt(bound);
  }

  String repeat(int least, int most, Supplier<String> part) {
    return IntStream.range(0, least + random.nextInt(most - least + 1))
        .mapToObj(i -> part.get())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  String fresh(String stem) {
    return stem + ++names;
  }

  String directive() {
    if (!chance(15)) {
      return "";
    }
    var name = chance(50) ? "@skip" : "@include";
    return " " + name + "(if: " + leaf("Boolean!", "" + chance(50)) + ")";
  }

  String direction() {
    var direction =
        any(
            List.of(
                "asc",
                "desc",
                "asc_nulls_first",
                "asc_nulls_last",
                "desc_nulls_first",
                "desc_nulls_last"));
    if (!chance(20)) {
      return direction;
    }
    var name = fresh("v");
    declarations.add("$" + name + ": order_by");
    variables.put(name, "\"" + direction + "\"");
    return "$" + name;
  }

  String comparison(DataType type) {
    var scalar = ScalarName.of((DataType.Scalar) type);
    return switch (random.nextInt(5)) {
      case 0 -> "{_is_null: " + leaf("Boolean", "" + chance(50)) + "}";
      case 1 ->
          "{"
              + any(List.of("_in", "_nin"))
              + ": ["
              + IntStream.range(0, random.nextInt(4))
                  .mapToObj(i -> leaf(scalar + "!", value(type)))
                  .collect(Collectors.joining(", "))
              + "]}";
      case 2 -> {
        var name = fresh("v");
        declarations.add("$" + name + ": [" + scalar + "!]");
        variables.put(name, "[" + value(type) + ", " + value(type) + "]");
        yield "{" + any(List.of("_in", "_nin")) + ": $" + name + "}";
      }
      default -> {
        var operator = any(Comparisons.of(type, EnumSet.of(Capability.LIKE)));
        yield "{" + operator + ": " + leaf(scalar, value(type, operator)) + "}";
      }
    };
  }

  private String value(DataType type, String operator) {
    return operator.endsWith("like")
        ? any(List.of("\"%duct%\"", "\"%É%\"", "\"%\"", "\"%EUR%\"", "\"%\\\"%\""))
        : value(type);
  }

  String value(DataType type) {
    return switch ((DataType.Scalar) type) {
      case INT32 -> "" + (1 + random.nextInt(13));
      case INT64 -> chance(50) ? "9223372036854775802" : "\"9223372036854775804\"";
      case DECIMAL -> any(List.of("0.5", "1", "\"2.25\"", "1.50", "94.5"));
      case DATE -> any(List.of("\"2026-02-01\"", "\"2026-03-02\"", "\"2026-01-08\""));
      case BOOLEAN -> "" + chance(50);
      default -> any(List.of("\"Product \\\"1\\\" é\"", "\"Brand 2\"", "\"EUR\"", "\"\""));
    };
  }

  /**
   * The value as it is, or through a variable: given, defaulted, or absent where that is allowed.
   */
  String leaf(String type, String value) {
    if (!chance(40)) {
      return value;
    }
    var name = fresh("v");
    if (chance(30)) {
      declarations.add("$" + name + ": " + type + " = " + value);
      if (chance(30)) {
        variables.put(name, value);
      }
      return "$" + name;
    }
    declarations.add("$" + name + ": " + type);
    if (type.endsWith("!") || !chance(10)) {
      variables.put(name, value);
    }
    return "$" + name;
  }
}
