// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.value.Codec;
import org.jooq.Field;

/** Values inside of JSON, and casts, as SQL. */
record ScalarSql(Dialect dialect) {

  /** No type of the database's own. */
  private static final String NATIVE = "computed";

  /** The column that the value is made of. */
  static Column column(Table table, Output.Single value) {
    return Columns.named(
        table,
        switch (value) {
          case Output.Column(var name) -> name;
          case Output.Path path -> path.column();
        });
  }

  /** A path as an expression. */
  Field<Object> field(Table table, String source, Output.Path path) {
    var column = column(table, path);
    return dialect.values().path(Sql.column(source, column.name()), column, path);
  }

  /** A path as it is ordered by. */
  Field<Object> compared(Table table, String source, Output.Path path) {
    return dialect.values().compared(field(table, source, path), codec(table, path));
  }

  /** A path or a cast as its codec reads it. */
  Field<Object> selected(Table table, String source, Output output) {
    return switch (output) {
      case Output.Path path -> field(table, source, path);
      case Output.Cast(Output.Path path, var type) ->
          dialect.values().cast(field(table, source, path), path.type(), type);
      case Output.Cast(Output.Column(var name), var type) ->
          dialect.values().cast(Sql.column(source, name), Columns.named(table, name).type(), type);
      default -> throw new IllegalStateException("not of a single row: " + output);
    };
  }

  /** How values at a path cross JDBC. */
  Codec codec(Table table, Output.Path path) {
    return dialect.values().codec(path.type(), NATIVE, where(table, path));
  }

  /**
   * How the values of a cast cross JDBC.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} where the types have nothing in common
   */
  Codec codec(Table table, Output.Cast cast) {
    var column = column(table, cast.value());
    var from = cast.value() instanceof Output.Path path ? path.type() : column.type();
    if (!castable(from, cast.type())) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "%s is of type %s, which cannot be cast to %s"
              .formatted(where(table, cast.value()), from, cast.type()));
    }
    return dialect
        .values()
        .castCodec(from, cast.type(), where(table, cast.value()) + " as " + cast.type());
  }

  private static String where(Table table, Output.Single value) {
    return table.name() + "." + column(table, value).name();
  }

  private static boolean castable(DataType from, Scalar to) {
    if (from == Scalar.TEXT) {
      return readable(to);
    }
    return (Columns.isNumber(from) && Columns.isNumber(to))
        || (Columns.isInteger(from) && to == Scalar.BOOLEAN)
        || (from == Scalar.BOOLEAN && Columns.isInteger(to))
        || (moment(from) && moment(to))
        || (from.equals(to) && readable(to));
  }

  private static boolean readable(Scalar to) {
    return switch (to) {
      case BOOLEAN, INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64 -> true;
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, UUID, JSON -> true;
      case TEXT, BINARY, TIME_TZ, INTERVAL -> false;
    };
  }

  private static boolean moment(DataType type) {
    return type == Scalar.DATE || type == Scalar.TIMESTAMP || type == Scalar.TIMESTAMP_TZ;
  }
}
