// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.engine.jdbc.dialect.ScriptRules;
import dev.evita.engine.jdbc.value.Codec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The syntax of scripts, their arguments and results, in PostgreSQL. */
final class PostgresScripts extends ScriptRules {

  @Override
  public Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var name = columns.getColumnTypeName(index);
    var label = columns.getColumnLabel(index);
    return name.startsWith("_")
        ? codec(new DataType.Array(PostgresTypeNames.type(name.substring(1), false)), label)
        : codec(PostgresTypeNames.type(name, false), label);
  }

  @Override
  public String input(DataType.Scalar type) {
    return switch (type) {
      case TEXT -> "cast(? as text)";
      case BINARY -> "cast(? as bytea)";
      case TIME_TZ -> "cast(? as time with time zone)";
      case INTERVAL -> "cast(? as interval)";
      default -> "cast(? as " + PostgresOperators.castType(type) + ")";
    };
  }

  @Override
  public boolean doubledQuestionMark() {
    return true;
  }

  @Override
  public void bindAny(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case String text -> statement.setObject(index, text, Types.OTHER);
      case BigInteger number -> statement.setBigDecimal(index, new BigDecimal(number));
      case List<?> list -> statement.setObject(index, PostgresArray.write(list), Types.OTHER);
      default -> statement.setObject(index, value);
    }
  }

  private static Codec codec(DataType type, String label) {
    return new PostgresCodec(type, label, ErrorCode.STORED_VALUE_INVALID);
  }
}
