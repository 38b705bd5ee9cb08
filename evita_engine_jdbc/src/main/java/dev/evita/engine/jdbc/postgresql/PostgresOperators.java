// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Operators that PostgreSQL has beyond standard SQL: sets, full text and JSON. */
final class PostgresOperators {

  private static final Set<String> RANGES =
      Set.of(
          "int4range",
          "int8range",
          "numrange",
          "tsrange",
          "tstzrange",
          "daterange",
          "int4multirange",
          "int8multirange",
          "nummultirange",
          "tsmultirange",
          "tstzmultirange",
          "datemultirange");

  private PostgresOperators() {}

  /** Whether the operator exists for two values of the type. */
  static boolean contains(DataType type, Comparison comparison) {
    return switch (type) {
      case DataType.Array array -> comparison.compareTo(Comparison.OVERLAPS) <= 0;
      case DataType.Scalar scalar ->
          scalar == DataType.Scalar.JSON && comparison.compareTo(Comparison.OVERLAPS) < 0;
      case DataType.Enumeration enumeration -> false;
      case DataType.Other other -> RANGES.contains(other.name());
    };
  }

  static Condition contains(
      Field<Object> left, DataType type, Comparison comparison, Field<Object> right) {
    var operator =
        switch (comparison) {
          case CONTAINS -> "@>";
          case CONTAINED_IN -> "<@";
          case LEFT_OF -> "<<";
          case RIGHT_OF -> ">>";
          case NOT_RIGHT_OF -> "&<";
          case NOT_LEFT_OF -> "&>";
          case ADJACENT -> "-|-";
          default -> "&&";
        };
    // A range may also contain a single value: so an untyped operand is taken for a range.
    var place = type instanceof DataType.Other(var name, var ordered) ? cast("{1}", name) : "{1}";
    return DSL.condition("({0} " + operator + " " + place + ")", left, right);
  }

  private static String cast(String value, String type) {
    return "cast(" + value + " as " + type + ")";
  }

  /** Whether full-text search is supported for the type. */
  static boolean searchable(DataType type) {
    return type == DataType.Scalar.TEXT || type == DataType.Scalar.JSON || words(type);
  }

  private static boolean words(DataType type) {
    return type instanceof DataType.Other(var name, var ordered) && name.equals("tsvector");
  }

  /** The language is part of the text, so that an index of the same expression is used. */
  static Condition search(
      Field<Object> column, DataType type, Filter.FullText search, Field<Object> query) {
    var function =
        switch (search.search()) {
          case OPERATORS -> "to_tsquery";
          case WORDS -> "plainto_tsquery";
          case PHRASE -> "phraseto_tsquery";
          case WEB -> "websearch_to_tsquery";
        };
    var language = search.language();
    var config = language == null ? "" : cast("{2}", "regconfig") + ", ";
    var left = words(type) ? "{0}" : "to_tsvector(" + config + "{0})";
    return DSL.condition(
        "(" + left + " @@ " + function + "(" + config + "{1}))",
        column,
        query,
        DSL.inline(language == null ? "" : language));
  }

  static Field<Object> path(Field<Object> json, Output.Path path) {
    var field = json;
    var last = path.steps().size() - 1;
    for (int i = 0; i <= last; i++) {
      var arrow = i == last && path.text() ? "->>" : "->";
      var step =
          switch (path.steps().get(i)) {
            case Output.Step.Member(var name) -> DSL.inline(name);
            case Output.Step.Element(var index) -> DSL.inline(index);
          };
      field = DSL.field("({0} " + arrow + " {1})", Object.class, field, step);
    }
    return field;
  }

  static String castType(DataType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> "boolean";
      case INT16 -> "smallint";
      case INT32 -> "integer";
      case INT64 -> "bigint";
      case DECIMAL -> "numeric";
      case FLOAT32 -> "real";
      case FLOAT64 -> "double precision";
      case DATE -> "date";
      case TIME -> "time";
      case TIMESTAMP -> "timestamp";
      case TIMESTAMP_TZ -> "timestamp with time zone";
      case UUID -> "uuid";
      case JSON -> "jsonb";
      case TEXT, BINARY, TIME_TZ, INTERVAL ->
          throw new IllegalArgumentException("no cast to " + type);
    };
  }
}
