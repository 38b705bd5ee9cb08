// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.Capability;
import dev.evita.engine.jdbc.dialect.CallStatements;
import dev.evita.engine.jdbc.dialect.Dialect;
import org.jooq.SQLDialect;

/**
 * SQLite, embedded.
 *
 * <p>Many keys are passed as one JSON text that {@code json_each} expands; the index on the column
 * is used. Transactions that may write begin {@code IMMEDIATE}: one that begins by reading could
 * only fail at its first write if another has written meanwhile. The driver's own transactions all
 * begin in the same way, so SQL begins and ends them here.
 */
public final class SqliteDialect {

  private SqliteDialect() {}

  /** Returns the dialect. */
  public static Dialect of() {
    return new Dialect(
        SQLDialect.SQLITE,
        Dialect.allBut(
            Capability.REGULAR_EXPRESSIONS,
            Capability.ARRAYS,
            Capability.JSON_CONTAINMENT,
            Capability.FULL_TEXT,
            Capability.ENUMERATIONS,
            Capability.ROUTINES,
            Capability.READ_COMMITTED),
        new SqliteCatalogAccess(),
        new SqliteSessions(),
        new SqliteErrors(),
        new SqliteValues(),
        new SqliteKeys(),
        new SqliteAggregates(),
        new SqliteWrites(),
        CallStatements.NONE,
        new SqliteScripts());
  }
}
