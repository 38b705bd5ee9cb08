// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.h2.engine.Database;
import org.h2.engine.DbObject;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVMap;
import org.h2.table.Table;
import org.h2.table.TableType;
import org.h2.value.VersionedValue;
import org.jspecify.annotations.Nullable;

/**
 * For H2 in this process, which alters a table by filling a copy, checking it under the table's
 * name, dropping the table, and giving the copy its name, with hardly a lock. An operation that
 * opened the table before the drop finds it empty afterwards, or writes to data that is discarded;
 * one that opened the copy too early finds no rows in it.
 *
 * <p>So an operation records the tables that its names refer to, all of them committed, and checks
 * at the end whether they still do and were not changed. That costs two look-ups in memory for each
 * table, as H2 removes a name before the rows, and counts the changes. While the copy is filled,
 * which may take long, operations continue.
 *
 * <p>H2 loses writes that are committed after the copy was filled and before the drop; that cannot
 * be detected from here.
 */
public final class H2SchemaGuard implements SchemaGuard {

  /** H2's name of the map of all definitions, by the ids of the defined objects. */
  private static final String DEFINITIONS = "table.0";

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<TableName> names;
  private volatile @Nullable Tables latest;

  H2SchemaGuard(Collection<TableName> names) {
    this.names = List.copyOf(names);
  }

  /** Null if the database is open in another process that serves it. */
  public static @Nullable SessionLocal session(Connection connection) throws SQLException {
    return connection.isWrapperFor(JdbcConnection.class)
            && connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal local
        ? local
        : null;
  }

  @Override
  public TableSnapshot enter(Connection connection) throws SQLException {
    var session = session(connection);
    if (session == null) {
      return TableSnapshot.ANY;
    }
    var known = latest;
    return known != null && known.areLatest(session.getDatabase()) ? known : look(session);
  }

  private Tables look(SessionLocal session) {
    var deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(session.getLockTimeout());
    while (true) {
      var tables = Tables.of(session.getDatabase(), names);
      if (tables != null) {
        latest = tables;
        return tables;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new EvitaException(
            ErrorCode.CATALOG_CHANGED, "The table is being altered; retry the request");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * A table that a name refers to; null if it refers to none, which is never valid.
   *
   * @param modification changes with the table's definition and name
   */
  private record Named(TableName name, @Nullable Table table, long modification) {

    @SuppressWarnings("ReferenceEquality") // compares identity
    boolean holds(Database database) {
      return table != null
          && find(database, name) == table
          && table.getModificationId() == modification;
    }
  }

  /** Tables and views, and the tables that those views read. */
  private static final class Tables implements TableSnapshot {

    private final Database database;
    private final long changes;
    private final List<Named> tables = new ArrayList<>();

    /** Null during a change, which H2 makes in steps; each of them holds the monitor. */
    static @Nullable Tables of(Database database, List<TableName> names) {
      synchronized (database) {
        var tables = new Tables(database, names);
        return tables.areCommitted() ? tables : null;
      }
    }

    private Tables(Database database, List<TableName> names) {
      this.database = database;
      this.changes = database.getModificationMetaId();
      for (var name : names) {
        var table = find(database, name);
        add(name, table);
        if (table != null && table.isView()) {
          addReadBy(name, table);
        }
      }
    }

    /** A dropped object has no name any more; so a view of it is not there either. */
    private void addReadBy(TableName view, Table table) {
      var read = new HashSet<DbObject>();
      table.addDependencies(read);
      for (var each : read) {
        if (each instanceof Table below && isStored(below)) {
          var name = (@Nullable String) below.getName();
          if (name == null) {
            add(view, null);
          } else {
            add(new TableName(below.getSchema().getName(), name), below);
          }
        }
      }
    }

    /** Ranges, functions and similar tables are not found by name in a schema. */
    private static boolean isStored(Table table) {
      return table.getTableType() == TableType.TABLE || table.isView();
    }

    private void add(TableName name, @Nullable Table table) {
      tables.add(new Named(name, table, table == null ? 0 : table.getModificationId()));
    }

    /** Whether the definitions are committed; none may be missing because it is being replaced. */
    private boolean areCommitted() {
      MVMap<Long, VersionedValue<?>> all = database.getStore().getMvStore().openMap(DEFINITIONS);
      for (var each : tables) {
        var table = each.table();
        if (table == null && database.isSysTableLocked()) {
          return false;
        }
        var definition = table == null ? null : all.get((long) table.getId());
        if (definition != null && !definition.isCommitted()) {
          return false;
        }
      }
      return true;
    }

    @SuppressWarnings("ReferenceEquality") // a reopened database counts from the start
    boolean areLatest(Database of) {
      return of == database && changes == database.getModificationMetaId();
    }

    @Override
    public boolean holds() {
      for (var each : tables) {
        if (!each.holds(database)) {
          return false;
        }
      }
      return true;
    }
  }

  private static @Nullable Table find(Database database, TableName name) {
    var schema = database.findSchema(name.schema());
    return schema == null ? null : schema.findTableOrView(null, name.table());
  }
}
