// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Detects that tables of an operation were replaced during its execution, for databases that let a
 * statement continue on a dropped table. Thread-safe; one for each prepared operation.
 */
@FunctionalInterface
public interface SchemaGuard {

  /** For databases that isolate statements from schema changes. */
  SchemaGuard NONE = connection -> TableSnapshot.ANY;

  /**
   * Records the tables before the first statement. Waits while a table is being replaced, at most
   * as long as the database waits for locks.
   *
   * @throws dev.evita.api.EvitaException {@code CATALOG_CHANGED} if that was not enough
   */
  TableSnapshot enter(Connection connection) throws SQLException;

  /** The tables that the names referred to. */
  @FunctionalInterface
  interface TableSnapshot {

    /** For operations that need no check. */
    TableSnapshot ANY = () -> true;

    /** Whether all rows read and written since were in tables that still exist. */
    boolean holds();
  }
}
