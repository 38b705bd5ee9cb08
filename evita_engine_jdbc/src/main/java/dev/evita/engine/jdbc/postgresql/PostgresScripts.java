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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The syntax of scripts, their arguments and results, in PostgreSQL. */
final class PostgresScripts extends ScriptRules {

  /** None of them is volatile. */
  private static final Set<String> FUNCTIONS =
      words(
          """
          ABS ARRAY_AGG ARRAY_LENGTH ARRAY_TO_JSON AVG BIT_LENGTH BOOL_AND BOOL_OR BTRIM CARDINALITY CEIL CEILING
          CHAR_LENGTH CHARACTER_LENGTH COALESCE CONCAT CONCAT_WS COUNT DATE_PART DATE_TRUNC DENSE_RANK ENCODE EVERY EXTRACT
          FIRST_VALUE FLOOR FORMAT GREATEST INITCAP JSON_AGG JSON_BUILD_ARRAY JSON_BUILD_OBJECT JSON_OBJECT
          JSON_OBJECT_AGG JSONB_AGG JSONB_BUILD_ARRAY JSONB_BUILD_OBJECT JSONB_OBJECT_AGG LAG LAST_VALUE
          LEAD LEAST LEFT LENGTH LOWER LPAD LTRIM MAX MD5 MIN MOD NOW NULLIF OCTET_LENGTH POSITION POWER RANK
          REGEXP_REPLACE REPLACE REVERSE RIGHT ROUND ROW_NUMBER ROW_TO_JSON RPAD RTRIM SIGN SPLIT_PART SQRT
          STRING_AGG SUBSTR SUBSTRING SUM TO_CHAR TO_JSON TO_JSONB TRANSLATE TRIM UPPER
          """);

  @Override
  public Set<String> harmlessFunctions() {
    return FUNCTIONS;
  }

  @Override
  public Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var name = columns.getColumnTypeName(index);
    var label = columns.getColumnLabel(index);
    return name.startsWith("_")
        ? codec(new DataType.Array(PostgresTypeNames.type(name.substring(1), false)), label)
        : codec(PostgresTypeNames.type(name, false), label);
  }

  @Override
  protected String inputType(DataType.Scalar type) {
    return switch (type) {
      case TEXT -> "text";
      case BINARY -> "bytea";
      case TIME_TZ -> "time with time zone";
      case INTERVAL -> "interval";
      default -> PostgresOperators.castType(type);
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
