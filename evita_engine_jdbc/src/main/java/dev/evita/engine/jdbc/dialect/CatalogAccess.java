// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Reads the catalog and detects changes of schema and rows. Immutable. */
public abstract class CatalogAccess {

  /**
   * Returns the source of change notifications, including writes by other programs; null if the
   * database has none.
   *
   * @param connection one of the database's
   * @param kept whether it stays open, reserved for this, as long as the counters are used
   */
  public @Nullable ChangeCounters counters(Connection connection, boolean kept)
      throws SQLException {
    return null;
  }

  /** Returns the reader of the whole catalog. */
  public abstract CatalogReader reader();

  /**
   * A cheap value that changes with the schema; null if only reading the catalog shows a change.
   */
  public @Nullable String fingerprint(Connection connection) throws SQLException {
    return null;
  }

  /**
   * The number of steps of schema changes, if readers of the catalog see them one by one; negative
   * while a step is in progress.
   */
  public long schemaSteps(Connection connection) throws SQLException {
    return 0;
  }

  /**
   * Returns the guard that keeps an operation on these tables from running during a schema change.
   */
  public SchemaGuard guard(Collection<TableName> tables) {
    return SchemaGuard.NONE;
  }
}
