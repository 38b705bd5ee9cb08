// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.CatalogAccess;
import dev.evita.engine.jdbc.dialect.CatalogReader;
import dev.evita.engine.jdbc.dialect.ChangeCounters;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.h2.engine.Database;
import org.jspecify.annotations.Nullable;

/** Reads the catalog and detects changes of schema and rows, in H2. */
final class H2CatalogAccess extends CatalogAccess {

  /** Null for a database in another process, whose tables cannot be inspected here. */
  @Override
  public @Nullable ChangeCounters counters(Connection connection, boolean kept)
      throws SQLException {
    var session = H2SchemaGuard.session(connection);
    return session == null ? null : new ModificationIds(session.getDatabase());
  }

  /** H2 marks the tables of a transaction before it commits and again after. */
  private record ModificationIds(Database database) implements ChangeCounters {

    private static final int MARKS_OF_A_COMMIT = 2;

    @Override
    public long total() {
      return database.getModificationDataId();
    }

    @Override
    public boolean byTable() {
      return true;
    }

    @Override
    public boolean triggers() {
      return database.getAllSchemasNoMeta().stream()
          .anyMatch(schema -> !schema.getAllTriggers().isEmpty());
    }

    @Override
    public boolean single(long before, long after) {
      return after - before == MARKS_OF_A_COMMIT;
    }

    @Override
    public long of(TableName name) {
      var schema = database.findSchema(name.schema());
      var table = schema == null ? null : schema.findTableOrView(null, name.table());
      return table == null ? 0 : table.getMaxDataModificationId();
    }
  }

  @Override
  public CatalogReader reader() {
    return new H2Catalog();
  }

  @Override
  public @Nullable String fingerprint(Connection connection) throws SQLException {
    var session = H2SchemaGuard.session(connection);
    return session == null ? null : H2Fingerprint.of(session);
  }

  /** Consistent with {@link H2SchemaGuard}: during a change, a table may be missing or replaced. */
  @Override
  public long schemaSteps(Connection connection) throws SQLException {
    var session = H2SchemaGuard.session(connection);
    if (session == null) {
      return 0;
    }
    var database = session.getDatabase();
    return database.isSysTableLocked() ? -1 : database.getModificationMetaId();
  }

  @Override
  public SchemaGuard guard(Collection<TableName> tables) {
    return new H2SchemaGuard(tables);
  }
}
