// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.engine.jdbc.value.Codec;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Renders values to select, bind, compare and cast. Immutable. */
public abstract class ValueExpressions {

  private final SQLDialect jooq;

  protected ValueExpressions(SQLDialect jooq) {
    this.jooq = jooq;
  }

  /** Returns the codec of a column. */
  public abstract Codec codec(DataType type, String nativeType, String where);

  /** Renders the condition that the column's value is among the values of one placeholder. */
  public abstract Condition in(Field<Object> column, Codec codec, Field<Object> many);

  /**
   * Renders the placeholder of a value of the codec's type, with a cast if the database needs one.
   */
  public Field<Object> placed(Field<Object> placeholder, Codec codec) {
    return placeholder;
  }

  /** Returns the expression that replaces a column in comparisons, orders and groupings. */
  public Field<Object> compared(Field<Object> column, Codec codec) {
    return column;
  }

  /**
   * Rejects a column by whose values rows cannot be grouped.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  public void requireGroups(Codec codec) {}

  /** Returns the expression that is selected for a column, so that its codec can read it. */
  public Field<Object> selected(Field<Object> column, Codec codec) {
    return column;
  }

  public final Condition compare(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    return switch (comparison.kind()) {
      case VALUE -> compare(compared(left, codec), comparison, placed(sql.place(right), codec));
      case PATTERN -> {
        var text = codec(DataType.Scalar.TEXT, "", codec.where());
        yield matches(sql, asText(left, codec), comparison, right.parameter(), text);
      }
      case SET -> contains(sql, left, codec, comparison, right);
    };
  }

  /**
   * Renders a comparison of composite values.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} unless overridden
   */
  protected Condition contains(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    throw unsupported(comparison + " of " + codec.where());
  }

  /**
   * Renders a full-text search.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} unless overridden
   */
  public Condition matches(Sql sql, Field<Object> column, Codec codec, Filter.FullText search) {
    throw unsupported("full text search");
  }

  /**
   * Renders a value inside JSON.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} if the column cannot contain JSON, or the
   *     database does not support the path
   */
  public abstract Field<Object> path(Field<Object> field, Column column, Output.Path path);

  /** Renders a cast between convertible types. */
  public Field<Object> cast(Field<Object> value, DataType from, DataType.Scalar to) {
    if (Columns.isInteger(from) && to == DataType.Scalar.BOOLEAN) {
      return DSL.field("({0} <> 0)", Object.class, value);
    }
    var bridge = from == DataType.Scalar.BOOLEAN ? castType(DataType.Scalar.INT32) : null;
    var whole = bridge == null || from == to ? "{0}" : "cast({0} as " + bridge + ")";
    return DSL.field("cast(" + whole + " as " + castType(to) + ")", Object.class, value);
  }

  /** The name of the target type of a cast. */
  protected abstract String castType(DataType.Scalar type);

  /** Returns the codec of a cast: its failures are the request's. */
  public abstract Codec castCodec(DataType from, DataType.Scalar to, String where);

  /**
   * Renders the match of a text against a pattern or regular expression.
   *
   * @param codec of texts
   */
  protected Condition matches(
      Sql sql, Field<Object> text, Comparison comparison, Parameter pattern, Codec codec) {
    var bind = new Bind.Pattern(pattern, codec, form -> pattern(comparison, form));
    return matches(text, comparison, sql.place(bind));
  }

  /** Returns the pattern in the form of the operator. */
  protected String pattern(Comparison comparison, String pattern) {
    return comparison == Comparison.LIKE || comparison == Comparison.ILIKE
        ? Patterns.like(pattern)
        : pattern;
  }

  public final Condition compareColumns(
      Field<Object> left, Codec codec, Comparison comparison, Field<Object> right, Codec other) {
    return switch (comparison.kind()) {
      case VALUE -> compare(compared(left, codec), comparison, compared(right, other));
      case PATTERN -> matchesColumn(asText(left, codec), comparison, asText(right, other));
      case SET -> throw unsupported(comparison + " of two columns; expected a value");
    };
  }

  private static Condition compare(Field<Object> left, Comparison comparison, Field<Object> right) {
    return switch (comparison) {
      case EQUAL -> left.eq(right);
      case NOT_EQUAL -> left.ne(right);
      case LESS -> left.lt(right);
      case LESS_OR_EQUAL -> left.le(right);
      case GREATER -> left.gt(right);
      case GREATER_OR_EQUAL -> left.ge(right);
      case NOT_DISTINCT -> left.isNotDistinctFrom(right);
      default -> throw new IllegalArgumentException(comparison + " compares no single values");
    };
  }

  private Field<Object> asText(Field<Object> field, Codec codec) {
    return codec.type() == DataType.Scalar.TEXT
        ? field
        : DSL.field("cast({0} as " + textType() + ")", Object.class, field);
  }

  protected String textType() {
    return "varchar";
  }

  /** Renders the match of a pattern or regular expression. */
  protected Condition matches(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return switch (comparison) {
      case LIKE -> DSL.condition("{0} like {1} escape '\\'", text, pattern);
      case ILIKE -> DSL.condition("{0} ilike {1} escape '\\'", text, pattern);
      case MATCHES -> DSL.condition("{0} ~ {1}", text, pattern);
      case IMATCHES -> DSL.condition("{0} ~* {1}", text, pattern);
      default -> throw new IllegalArgumentException(comparison + " is no pattern");
    };
  }

  /** The same with a pattern from a column. */
  protected Condition matchesColumn(
      Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return matches(text, comparison, pattern);
  }

  protected final EvitaException unsupported(String what) {
    return JdbcErrors.unsupported(jooq, what);
  }
}
