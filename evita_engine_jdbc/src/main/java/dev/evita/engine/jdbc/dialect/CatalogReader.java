// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Catalog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Reads a database's catalog in a few statements. */
@FunctionalInterface
public interface CatalogReader {

  /**
   * Reads the catalog.
   *
   * @param schemas the schemas to read; empty for all but system schemas
   */
  Catalog read(Connection connection, Set<String> schemas, long epoch) throws SQLException;
}
