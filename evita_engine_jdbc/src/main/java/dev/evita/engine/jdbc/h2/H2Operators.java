// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import org.h2.engine.Constants;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Emulates operators that H2 lacks by its functions. */
final class H2Operators {

  /** A test of each element of a value; null if the row's array is null. */
  private static final String ELEMENT_OF_VALUE =
      "(select 1 from unnest(cast({1} as %s array)) as \"e\"(\"v\") where %s)";

  /**
   * The same test of each element of the row's array, as H2 can only unnest expressions that do not
   * depend on the row. The first condition bounds the range, the second checks it in any evaluation
   * order.
   */
  private static final String ELEMENT_OF_ROW =
      "(select 1 from system_range(1, "
          + Constants.MAX_ARRAY_CARDINALITY
          + ") as \"e\"(\"n\") where \"e\".\"n\" <= cardinality({0}) and case when \"e\".\"n\" >"
          + " cardinality({0}) then false else %s end)";

  private H2Operators() {}

  /**
   * Renders a comparison of two arrays.
   *
   * @param element the type of their elements, which the value's would not have by itself
   */
  static Condition contains(
      Field<Object> left, String element, Comparison comparison, Field<Object> right) {
    var test =
        switch (comparison) {
          case CONTAINS ->
              "not exists "
                  + ELEMENT_OF_VALUE.formatted(
                      element, "\"e\".\"v\" is null or not array_contains({0}, \"e\".\"v\")");
          case CONTAINED_IN ->
              "not exists "
                  + ELEMENT_OF_ROW.formatted(
                      "{0}[\"e\".\"n\"] is null or not array_contains(cast({1} as "
                          + element
                          + " array), {0}[\"e\".\"n\"])");
          default ->
              "exists "
                  + ELEMENT_OF_VALUE.formatted(
                      element, "\"e\".\"v\" is not null and array_contains({0}, \"e\".\"v\")");
        };
    return DSL.condition(
        "(case when {0} is null or {1} is null then null else " + test + " end)", left, right);
  }

  /** H2's JSON is compact and escapes as Java does, so that a string is read by STRINGDECODE. */
  static Field<Object> path(Field<Object> json, Output.Path path) {
    var field = json;
    for (var step : path.steps()) {
      field =
          switch (step) {
            case Output.Step.Member(var name) ->
                DSL.field("({0}).{1}", Object.class, field, DSL.quotedName(requireShort(name)));
            case Output.Step.Element(var index) ->
                DSL.field(
                    "({0})[{1}]", Object.class, field, DSL.inline(requireFromStart(index) + 1));
          };
    }
    return path.text()
        ? DSL.field(
            "(case when {0} is null or cast({0} as varchar) = 'null' then null"
                + " when cast({0} as varchar) like '\"%' then stringdecode(substring("
                + "cast({0} as varchar) from 2 for char_length(cast({0} as varchar)) - 2))"
                + " else cast({0} as varchar) end)",
            Object.class, field)
        : field;
  }

  private static String requireShort(String name) {
    if (name.isEmpty() || name.length() > Constants.MAX_IDENTIFIER_LENGTH) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "H2 accepts names of JSON members of 1 to %d characters; got %d"
              .formatted(Constants.MAX_IDENTIFIER_LENGTH, name.length()));
    }
    return name;
  }

  private static int requireFromStart(int index) {
    if (index < 0 || index == Integer.MAX_VALUE) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "H2 accepts only non-negative indexes of JSON elements; got " + index);
    }
    return index;
  }

  static String castType(DataType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> "boolean";
      case INT16 -> "smallint";
      case INT32 -> "integer";
      case INT64 -> "bigint";
      case DECIMAL -> "decfloat";
      case FLOAT32 -> "real";
      case FLOAT64 -> "double precision";
      case TEXT -> "varchar";
      case BINARY -> "varbinary";
      case DATE -> "date";
      case TIME -> "time(9)";
      case TIME_TZ -> "time(9) with time zone";
      case TIMESTAMP -> "timestamp(9)";
      case TIMESTAMP_TZ -> "timestamp(9) with time zone";
      case UUID -> "uuid";
      case JSON -> "json";
      case INTERVAL -> throw new IllegalArgumentException("no cast to " + type);
    };
  }
}
