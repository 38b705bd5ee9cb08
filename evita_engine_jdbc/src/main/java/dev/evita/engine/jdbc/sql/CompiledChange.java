// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Arguments;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.SqlText;
import java.sql.SQLException;

/** An update or delete: one statement. */
public record CompiledChange(TableName table, SqlText sql) implements CompiledWrite {

  @Override
  public boolean several(Arguments arguments) {
    return false;
  }

  @Override
  public long write(Arguments arguments, Executor executor) throws SQLException {
    return executor.execute(sql.sql(), statement -> sql.bind(statement, arguments, null));
  }
}
