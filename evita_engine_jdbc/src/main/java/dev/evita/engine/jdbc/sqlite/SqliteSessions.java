// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.SQLDialect;

/** Sets up connections, and begins and ends their transactions and statements, in SQLite. */
final class SqliteSessions extends SessionRules {

  /** An interrupt applies to the connection: it lasts as long as any of its statements is open. */
  @Override
  public boolean writesOneAtATime() {
    return true;
  }

  @Override
  public boolean cancelSpoils() {
    return true;
  }

  @Override
  public void requireIsolation(TransactionOptions.Isolation isolation) {
    if (isolation == TransactionOptions.Isolation.READ_COMMITTED) {
      throw JdbcErrors.unsupported(
          SQLDialect.SQLITE, "isolation level READ_COMMITTED; its transactions are serializable");
    }
  }

  @Override
  public void begin(Connection connection, TransactionOptions options) throws SQLException {
    if (options.readOnly()) {
      execute(connection, "pragma query_only = 1");
      execute(connection, "begin");
    } else {
      execute(connection, "begin immediate");
    }
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    execute(connection, "commit");
  }

  @Override
  public void rollback(Connection connection) throws SQLException {
    try {
      execute(connection, "rollback");
    } catch (SQLException e) {
      // Some failures have rolled back already; then there is no transaction any more.
      if (!String.valueOf(e.getMessage()).contains("no transaction is active")) {
        throw e;
      }
    }
  }

  @Override
  public void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    if (options.readOnly()) {
      execute(connection, "pragma query_only = 0");
    }
  }
}
