// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Patterns;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.ValueExpressions;
import dev.evita.engine.jdbc.value.Codec;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Renders values to select, bind, compare and cast, in H2. */
final class H2Values extends ValueExpressions {

  H2Values() {
    super(SQLDialect.H2);
  }

  @Override
  public Codec codec(DataType type, String nativeType, String where) {
    return new H2Codec(type, nativeType, where);
  }

  @Override
  public Condition in(Field<Object> column, Codec codec, Field<Object> many) {
    return DSL.condition("{0} = any({1})", column, many);
  }

  @Override
  protected Condition contains(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    return codec.type() instanceof DataType.Array(DataType.Scalar element)
            && element != DataType.Scalar.INTERVAL
            && comparison.compareTo(Comparison.OVERLAPS) <= 0
        ? H2Operators.contains(left, castType(element), comparison, sql.place(right))
        : super.contains(sql, left, codec, comparison, right);
  }

  @Override
  public Field<Object> path(Field<Object> field, Column column, Output.Path path) {
    if (column.type() != DataType.Scalar.JSON) {
      throw unsupported("path into '" + column.name() + "', which is not a JSON column");
    }
    return H2Operators.path(field, path);
  }

  @Override
  public Field<Object> cast(Field<Object> value, DataType from, DataType.Scalar to) {
    return from == DataType.Scalar.TEXT && to == DataType.Scalar.JSON
        ? DSL.field("({0} format json)", Object.class, value)
        : super.cast(value, from, to);
  }

  @Override
  protected String castType(DataType.Scalar type) {
    return H2Operators.castType(type);
  }

  @Override
  public Codec castCodec(DataType from, DataType.Scalar to, String where) {
    return codec(to, "", where);
  }

  /**
   * H2 matches a text against a pattern with many {@code %} in a time exponential in their number,
   * and does not check for cancellation meanwhile: so only the prefix is left to its {@code LIKE},
   * which may use an index for it. Regular expressions of users could be equally slow; as they
   * could not be cancelled, they are not supported.
   */
  @Override
  protected Condition matches(
      Sql sql, Field<Object> text, Comparison comparison, Parameter pattern, Codec codec) {
    return switch (comparison) {
      case LIKE -> {
        var prefix = sql.place(new Bind.Pattern(pattern, codec, Patterns::prefix));
        var whole = new Bind.Pattern(pattern, codec, form -> Patterns.regex(form, false));
        yield DSL.condition(
            "{0} like {1} escape '\\' and {0} regexp {2}", text, prefix, sql.place(whole));
      }
      case ILIKE -> {
        var whole = new Bind.Pattern(pattern, codec, form -> Patterns.regex(form, true));
        yield DSL.condition("{0} regexp {1}", text, sql.place(whole));
      }
      case MATCHES, IMATCHES ->
          throw new EvitaException(
              ErrorCode.UNSUPPORTED_OPERATION,
              "Regular expressions are not supported on H2, as they cannot be cancelled; use a like pattern");
      default -> super.matches(sql, text, comparison, pattern, codec);
    };
  }

  @Override
  protected Condition matchesColumn(
      Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return switch (comparison) {
      case LIKE, ILIKE -> super.matchesColumn(text, comparison, pattern);
      default ->
          throw new EvitaException(
              ErrorCode.UNSUPPORTED_OPERATION,
              "Regular expressions are not supported on H2, as they cannot be cancelled; use a like pattern");
    };
  }
}
