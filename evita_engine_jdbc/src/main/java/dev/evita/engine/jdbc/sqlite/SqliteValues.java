// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.engine.jdbc.dialect.Patterns;
import dev.evita.engine.jdbc.dialect.ValueExpressions;
import dev.evita.engine.jdbc.value.Codec;
import java.util.Locale;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Renders values to select, bind, compare and cast, in SQLite. */
final class SqliteValues extends ValueExpressions {

  SqliteValues() {
    super(SQLDialect.SQLITE);
  }

  @Override
  public Codec codec(DataType type, String nativeType, String where) {
    return codecOf(type, nativeType, where);
  }

  static Codec codecOf(DataType type, String nativeType, String where) {
    // An aggregate has no declaration either, but its type is known.
    var typeless = nativeType.isBlank() && type == DataType.Scalar.TEXT;
    return new SqliteCodec(type, where, typeless);
  }

  @Override
  public Condition in(Field<Object> column, Codec codec, Field<Object> many) {
    var value = codec.type() == DataType.Scalar.BINARY ? "unhex(value)" : "value";
    var left = compared(column, codec);
    return DSL.condition("{0} in (select " + value + " from json_each({1}))", left, many);
  }

  /** JSON of a request is made compact, like values read at a path. */
  @Override
  public Field<Object> placed(Field<Object> placeholder, Codec codec) {
    return codec.type() == DataType.Scalar.JSON
        ? DSL.field("json({0})", Object.class, placeholder)
        : placeholder;
  }

  /** A column without a declared type has no affinity: it is compared as its published text. */
  @Override
  public Field<Object> compared(Field<Object> column, Codec codec) {
    return codec instanceof SqliteCodec sqlite && sqlite.typeless()
        ? DSL.field("cast({0} as text)", Object.class, column)
        : column;
  }

  /** Columns declared as JSON or as plain text may contain it. */
  @Override
  public Field<Object> path(Field<Object> field, Column column, Output.Path path) {
    var declared = column.nativeType().toUpperCase(Locale.ROOT);
    if (!declared.equals("JSON") && !declared.equals("TEXT")) {
      throw unsupported(
          "path into '" + column.name() + "', which is declared neither as JSON nor as TEXT");
    }
    var place = DSL.inline(SqliteCast.path(path));
    return path.text()
        ? DSL.field(
            "(case json_type({0}, {1}) when 'null' then null when 'text' then {0} ->> {1}"
                + " else {0} -> {1} end)",
            Object.class, field, place)
        : DSL.field("({0} -> {1})", Object.class, field, place);
  }

  /** SQLite's casts accept any value, so {@link SqliteCast} converts instead. */
  @Override
  public Field<Object> cast(Field<Object> value, DataType from, DataType.Scalar to) {
    return to == DataType.Scalar.JSON ? DSL.field("json({0})", Object.class, value) : value;
  }

  @Override
  protected String castType(DataType.Scalar type) {
    throw new IllegalArgumentException("no cast to " + type);
  }

  @Override
  public Codec castCodec(DataType from, DataType.Scalar to, String where) {
    return new SqliteCast(to, where);
  }

  @Override
  protected String pattern(Comparison comparison, String pattern) {
    return comparison == Comparison.LIKE
        ? Patterns.glob(pattern)
        : super.pattern(comparison, pattern);
  }

  @Override
  protected Condition matches(Field<Object> text, Comparison comparison, Field<Object> pattern) {
    return switch (comparison) {
      case LIKE -> DSL.condition("{0} glob {1}", text, pattern);
      case ILIKE -> DSL.condition("{0} like {1} escape '\\'", text, pattern);
      case MATCHES, IMATCHES -> throw unsupported("regular expressions");
      default -> super.matches(text, comparison, pattern);
    };
  }

  @Override
  protected Condition matchesColumn(
      Field<Object> text, Comparison comparison, Field<Object> pattern) {
    if (comparison == Comparison.LIKE) {
      throw unsupported("case-sensitive patterns from a column");
    }
    return matches(text, comparison, pattern);
  }

  @Override
  protected String textType() {
    return "text";
  }
}
