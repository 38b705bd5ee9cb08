// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.CatalogAccess;
import dev.evita.engine.jdbc.dialect.CatalogReader;
import dev.evita.engine.jdbc.dialect.ChangeCounters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads the catalog and detects changes of schema and rows, in SQLite. */
final class SqliteCatalogAccess extends CatalogAccess {

  /** SQLite counts the commits of all connections but the reading one. */
  @Override
  public @Nullable ChangeCounters counters(Connection connection, boolean kept)
      throws SQLException {
    return kept
        ? new DataVersion(
            connection.prepareStatement("pragma data_version"),
            connection.prepareStatement(
                "select 1 from sqlite_master where type = 'trigger' limit 1"))
        : null;
  }

  private record DataVersion(PreparedStatement pragma, PreparedStatement aTrigger)
      implements ChangeCounters {
    @Override
    public long total() throws SQLException {
      try (ResultSet row = pragma.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }

    @Override
    public boolean byTable() {
      return false;
    }

    @Override
    public boolean triggers() throws SQLException {
      try (ResultSet row = aTrigger.executeQuery()) {
        return row.next();
      }
    }

    @Override
    public boolean single(long before, long after) {
      return false; // the increment of a commit is not specified
    }

    @Override
    public long of(TableName table) {
      throw new UnsupportedOperationException("SQLite counts changes of the whole database");
    }
  }

  @Override
  public CatalogReader reader() {
    return new SqliteCatalog();
  }

  @Override
  public String fingerprint(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma schema_version")) {
      row.next();
      return row.getString(1);
    }
  }
}
