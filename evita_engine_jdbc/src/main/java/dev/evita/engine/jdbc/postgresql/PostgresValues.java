// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.ValueExpressions;
import dev.evita.engine.jdbc.value.Codec;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Renders values to select, bind, compare and cast, in PostgreSQL. */
final class PostgresValues extends ValueExpressions {

  PostgresValues() {
    super(SQLDialect.POSTGRES);
  }

  @Override
  public Codec codec(DataType type, String nativeType, String where) {
    return new PostgresCodec(type, where, ErrorCode.STORED_VALUE_INVALID);
  }

  @Override
  public Condition in(Field<Object> column, Codec codec, Field<Object> many) {
    var type = comparedAs(codec.type());
    return type == null
        ? DSL.condition("{0} = any({1})", column, many)
        : DSL.condition("{0} = any({1})", cast(column, type), cast(many, type + "[]"));
  }

  /**
   * The type that values are cast to for comparison, if their own has no order; else null. JSON is
   * equal regardless of spaces and the order of its members.
   */
  private static @Nullable String comparedAs(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> scalar == DataType.Scalar.JSON ? "jsonb" : null;
      case DataType.Other other -> other.ordered() ? null : "text";
      case DataType.Enumeration enumeration -> null;
      case DataType.Array(var element) -> {
        var compared = comparedAs(element);
        yield compared == null ? null : compared + "[]";
      }
    };
  }

  private static Field<Object> cast(Field<Object> field, @Nullable String type) {
    return type == null ? field : DSL.field("cast({0} as " + type + ")", Object.class, field);
  }

  @Override
  public Field<Object> compared(Field<Object> column, Codec codec) {
    return cast(column, comparedAs(codec.type()));
  }

  @Override
  public Field<Object> placed(Field<Object> placeholder, Codec codec) {
    return cast(placeholder, comparedAs(codec.type()));
  }

  /** The group's value would have to be the column's own, not the one it is compared as. */
  @Override
  public void requireGroups(Codec codec) {
    if (comparedAs(codec.type()) != null) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "Rows cannot be grouped by %s: PostgreSQL has no order for its type; use a column"
                  .formatted(codec.where())
              + " of another type than json, xml, geometric ones and composites");
    }
  }

  @Override
  protected Condition contains(
      Sql sql, Field<Object> left, Codec codec, Comparison comparison, Bind.Value right) {
    if (!PostgresOperators.contains(codec.type(), comparison)) {
      return super.contains(sql, left, codec, comparison, right);
    }
    var place = placed(sql.place(right), codec);
    return PostgresOperators.contains(compared(left, codec), codec.type(), comparison, place);
  }

  @Override
  public Condition matches(Sql sql, Field<Object> column, Codec codec, Filter.FullText search) {
    if (!PostgresOperators.searchable(codec.type())) {
      return super.matches(sql, column, codec, search);
    }
    var text = codec(DataType.Scalar.TEXT, "", codec.where());
    var query = sql.place(new Bind.Value(search.query(), text));
    return PostgresOperators.search(column, codec.type(), search, query);
  }

  @Override
  public Field<Object> path(Field<Object> field, Column column, Output.Path path) {
    if (column.type() != DataType.Scalar.JSON) {
      throw unsupported("path into '" + column.name() + "', which is neither json nor jsonb");
    }
    return PostgresOperators.path(field, path);
  }

  @Override
  protected String castType(DataType.Scalar type) {
    return PostgresOperators.castType(type);
  }

  @Override
  public Codec castCodec(DataType from, DataType.Scalar to, String where) {
    return new PostgresCodec(to, where, ErrorCode.INVALID_DATA);
  }

  @Override
  protected String textType() {
    return "text";
  }
}
