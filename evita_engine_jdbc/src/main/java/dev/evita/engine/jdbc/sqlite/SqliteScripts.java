// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.engine.jdbc.dialect.ScriptRules;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The syntax of scripts, their arguments and results, in SQLite. */
final class SqliteScripts extends ScriptRules {

  @Override
  public Codec resultCodec(ResultSetMetaData columns, int index) throws SQLException {
    var type = SqliteTypeNames.type(String.valueOf(columns.getColumnTypeName(index)));
    return SqliteValues.codecOf(type, "", columns.getColumnLabel(index));
  }

  @Override
  public boolean dollarQuotes() {
    return false;
  }

  @Override
  public boolean triggerBodies() {
    return true;
  }

  @Override
  public void bindAny(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    SqliteCodec.bindValue(statement, index, value, "a parameter");
  }
}
