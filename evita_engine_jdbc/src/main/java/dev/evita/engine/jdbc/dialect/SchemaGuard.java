// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Notices that tables of an operation were exchanged while it ran, for databases that let a
 * statement go on with a table that is gone. Thread-safe; one for each prepared operation.
 */
@FunctionalInterface
public interface SchemaGuard {

  /** For databases that keep statements and changes of the schema apart. */
  SchemaGuard NONE = connection -> Sight.ANY;

  /**
   * To be called before the first statement. Waits where a table is just being exchanged, at most
   * as long as the database waits for locks.
   *
   * @throws dev.evita.api.EvitaException {@code CATALOG_CHANGED} if that was not enough
   */
  Sight enter(Connection connection) throws SQLException;

  /** What the names of tables stood for. */
  @FunctionalInterface
  interface Sight {

    /** Of whoever need not look. */
    Sight ANY = () -> true;

    /** Whether all that was read and written since was in tables that are still there. */
    boolean holds();
  }
}
