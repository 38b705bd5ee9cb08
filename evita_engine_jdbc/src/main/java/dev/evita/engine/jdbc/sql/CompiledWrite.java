// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Arguments;
import dev.evita.api.TableName;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A compiled write. */
public interface CompiledWrite {

  /** The table that is written. */
  TableName table();

  /** Whether an execution with these arguments may need more than one statement. */
  boolean several(Arguments arguments);

  /** Executes the statements; returns the number of changed rows. */
  long write(Arguments arguments, Executor executor) throws SQLException;

  /** Executes one statement of a write, and keeps the rows that it returns, if any. */
  @FunctionalInterface
  interface Executor {
    long execute(String sql, Binder binder) throws SQLException;
  }

  /** Binds the parameters of one statement. */
  @FunctionalInterface
  interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }
}
