// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The oracle's comparisons, in three-valued logic: null is unknown. */
final class OracleLogic {

  private OracleLogic() {}

  /** Whether a value passes an object of operators. */
  static @Nullable Boolean passes(@Nullable Object value, Map<String, Object> operators) {
    Boolean result = true;
    for (var entry : operators.entrySet()) {
      result = and(result, compare(value, entry.getKey(), entry.getValue()));
    }
    return result;
  }

  /** Compares two values by this order. */
  static int directed(@Nullable Object left, @Nullable Object right, String word) {
    if (left == null || right == null) {
      var first = word.endsWith("first") || word.equals("desc");
      return left == null && right == null ? 0 : (left == null) == first ? -1 : 1;
    }
    return word.startsWith("asc") ? compareValues(left, right) : compareValues(right, left);
  }

  private static @Nullable Boolean compare(
      @Nullable Object value, String operator, Object operand) {
    if (operator.equals("_is_null")) {
      return (value == null) == (Boolean) operand;
    }
    if (operator.equals("_in") || operator.equals("_nin")) {
      var list = (List<?>) operand;
      Boolean in =
          list.isEmpty()
              ? Boolean.FALSE
              : value == null ? null : (Boolean) list.stream().anyMatch(each -> same(value, each));
      return operator.equals("_in") ? in : not(in);
    }
    if (value == null) {
      return null;
    }
    var text = operand.toString().replace("%", "");
    return switch (operator) {
      case "_eq" -> same(value, operand);
      case "_neq" -> !same(value, operand);
      case "_gt" -> compareValues(value, operand) > 0;
      case "_gte" -> compareValues(value, operand) >= 0;
      case "_lt" -> compareValues(value, operand) < 0;
      case "_lte" -> compareValues(value, operand) <= 0;
      case "_like" -> value.toString().contains(text);
      case "_nlike" -> !value.toString().contains(text);
      case "_ilike" -> lower(value).contains(lower(text));
      case "_nilike" -> !lower(value).contains(lower(text));
      default -> throw new IllegalStateException("what is " + operator);
    };
  }

  private static String lower(Object text) {
    return text.toString().toLowerCase(Locale.ROOT);
  }

  static @Nullable Boolean and(@Nullable Boolean a, @Nullable Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : Boolean.TRUE;
  }

  static @Nullable Boolean not(@Nullable Boolean a) {
    return a == null ? null : !a;
  }

  static boolean same(@Nullable Object a, @Nullable Object b) {
    return a != null && b != null && compareValues(a, b) == 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compareValues(Object a, Object b) {
    return a instanceof Number && b instanceof Number
        ? new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString()))
        : ((Comparable) a).compareTo(b);
  }
}
