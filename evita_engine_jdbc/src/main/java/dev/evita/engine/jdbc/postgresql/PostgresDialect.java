// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Capability;
import dev.evita.engine.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.SQLDialect;

/**
 * PostgreSQL from version 12 on, over the network.
 *
 * <p>Many keys are passed as one array. A large result comes through a cursor, which lives in a
 * transaction. Commits of other clients are not visible, so that {@code WATCH} is not supported.
 */
public final class PostgresDialect {

  private PostgresDialect() {}

  /** Returns the dialect. */
  public static Dialect of() {
    return of(false);
  }

  /**
   * Returns the dialect.
   *
   * @param pooled whether a pooler assigns a connection of the server to each transaction
   */
  public static Dialect of(boolean pooled) {
    return new Dialect(
        SQLDialect.POSTGRES,
        Dialect.allBut(Capability.IN_PROCESS),
        new PostgresCatalogAccess(),
        new PostgresSessions(pooled),
        new PostgresErrors(),
        new PostgresValues(),
        new PostgresKeys(),
        new PostgresAggregates(),
        new PostgresWrites(),
        new PostgresCalls(),
        new PostgresScripts());
  }

  /**
   * Returns the statements that set up a connection of the engine's own.
   *
   * @param connection provides the server's version and settings
   */
  public static String ownSession(Connection connection) throws SQLException {
    return PostgresSessions.ownSession(connection);
  }
}
