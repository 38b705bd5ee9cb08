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
   * The source of change notifications, of writes by any client; null if the database has none.
   *
   * @param connection one of the database's
   * @param kept whether it stays open, for this alone, as long as the counters are asked
   */
  public @Nullable ChangeCounters counters(Connection connection, boolean kept)
      throws SQLException {
    return null;
  }

  /** Reads the whole catalog. */
  public abstract CatalogReader reader();

  /** Something cheap that changes with the schema; null if the catalog must be read to know. */
  public @Nullable String fingerprint(Connection connection) throws SQLException {
    return null;
  }

  /**
   * How many steps changes of the schema have taken, where readers of the catalog see them one by
   * one; negative while a step is under way.
   */
  public long schemaSteps(Connection connection) throws SQLException {
    return 0;
  }

  /** What keeps an operation on these tables from meeting the middle of a change of the schema. */
  public SchemaGuard guard(Collection<TableName> tables) {
    return SchemaGuard.NONE;
  }
}
