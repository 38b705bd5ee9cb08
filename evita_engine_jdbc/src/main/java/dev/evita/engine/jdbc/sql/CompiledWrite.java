// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Arguments;
import dev.evita.api.TableName;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What a write does, once compiled. */
public interface CompiledWrite {

  /** The table that is written. */
  TableName table();

  /** Whether a run with these arguments may need more than one statement. */
  boolean several(Arguments arguments);

  /** Executes its statements; answers how many rows they changed. */
  long write(Arguments arguments, Executor executor) throws SQLException;

  /** Executes one statement of a write, whose rows, if it answers some, it keeps. */
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
