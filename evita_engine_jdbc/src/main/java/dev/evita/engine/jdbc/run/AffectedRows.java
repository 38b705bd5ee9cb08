// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Delete;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.KeyValues;
import dev.evita.api.Table;
import dev.evita.api.Update;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which rows a write changes, as far as that can be known from its shape and arguments.
 * Immutable.
 */
final class AffectedRows {

  /** The keys of all rows that it changes in its own table; empty where they are not known. */
  @FunctionalInterface
  private interface KeysOf {
    Optional<Set<KeyValues>> keys(Arguments arguments);
  }

  private static final KeysOf UNKNOWN = arguments -> Optional.empty();

  private final Table table;
  private final CascadeReach reach;
  private final KeysOf keys;
  private final boolean counted;

  /**
   * @param counted whether the database counts the changes of each table, so that a commit knows
   *     which followers have changed
   */
  private AffectedRows(Table table, CascadeReach reach, KeysOf keys, boolean counted) {
    this.table = table;
    this.reach = reach;
    this.keys = counted && reach.spares(table.name()) ? keys : UNKNOWN;
    this.counted = counted;
  }

  static AffectedRows of(Insert insert, Catalog catalog, boolean counted) {
    var table = catalog.requireTable(insert.into());
    var onConflict = insert.onConflict();
    if (onConflict == null) {
      return new AffectedRows(
          table,
          CascadeReach.none(catalog, table),
          given -> inserted(insert, table, given),
          counted);
    }
    // The row that is there may have another key than the one that is given.
    KeysOf keys =
        isPrimary(table, onConflict.keyColumns())
            ? given -> inserted(insert, table, given)
            : UNKNOWN;
    return new AffectedRows(
        table, CascadeReach.of(catalog, table, onConflict.update()), keys, counted);
  }

  private static boolean isPrimary(Table table, List<String> columns) {
    var key = table.primaryKey();
    return key != null && Set.copyOf(key.columns()).equals(Set.copyOf(columns));
  }

  static AffectedRows of(Update update, Catalog catalog, boolean counted) {
    var table = catalog.requireTable(update.table());
    var columns = update.changes().stream().map(Update.Change::column).toList();
    // Where the database does not count, it is not trusted to tell which columns are referred to.
    var reach =
        counted ? CascadeReach.of(catalog, table, columns) : CascadeReach.of(catalog, table);
    var key = table.primaryKey();
    KeysOf keys =
        key == null || key.columns().stream().anyMatch(columns::contains)
            ? UNKNOWN
            : given -> KeyValues.required(table, update.where(), given).map(Set::of);
    return new AffectedRows(table, reach, keys, counted);
  }

  static AffectedRows of(Delete delete, Catalog catalog, boolean counted) {
    var table = catalog.requireTable(delete.table());
    return new AffectedRows(
        table,
        CascadeReach.of(catalog, table),
        given -> KeyValues.required(table, delete.where(), given).map(Set::of),
        counted);
  }

  private static Optional<Set<KeyValues>> inserted(Insert insert, Table table, Arguments given) {
    if (!(given.get(insert.rows()) instanceof InsertRows(var rows))
        || rows.size() > WriteSet.MOST_KEYS) {
      return Optional.empty();
    }
    var keys = new HashSet<KeyValues>();
    for (var row : rows) {
      var key = KeyValues.of(table, column -> value(insert, row, column));
      if (key.isEmpty()) {
        return Optional.empty();
      }
      keys.add(key.get());
    }
    return Optional.of(keys);
  }

  private static @Nullable Object value(Insert insert, @Nullable Object[] row, String column) {
    var at = insert.columns().indexOf(column);
    return at < 0 ? null : row[at];
  }

  /** Notes what a run with these arguments has changed. */
  void note(Arguments arguments, WriteSet touched) {
    if (counted) {
      touched.followed(reach.followers());
    } else {
      touched.tables(reach.followers());
    }
    keys.keys(arguments)
        .ifPresentOrElse(
            rows -> touched.rows(table.name(), rows), () -> touched.tables(Set.of(table.name())));
  }
}
