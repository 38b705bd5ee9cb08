// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Catalog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Reads a database's catalog in a handful of statements. */
@FunctionalInterface
public interface CatalogReader {

  /**
   * Reads it all.
   *
   * @param schemas which schemas; empty for all but the system's
   */
  Catalog read(Connection connection, Set<String> schemas, long epoch) throws SQLException;
}
