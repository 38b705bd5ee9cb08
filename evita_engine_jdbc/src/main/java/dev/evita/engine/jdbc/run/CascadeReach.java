// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Catalog;
import dev.evita.api.ForeignKey;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The reach of a change of rows of a table through foreign keys. The catalog does not contain their
 * actions, so they are assumed to cascade.
 *
 * @param followers the tables whose rows may change with it; includes the table itself if it refers
 *     to itself, directly or through others
 * @param known whether the catalog contains all tables whose changes may change rows of this one
 */
record CascadeReach(Set<TableName> followers, boolean known) {

  CascadeReach {
    followers = Set.copyOf(followers);
  }

  /** The reach of rows that are deleted, or changed in any column. */
  static CascadeReach of(Catalog catalog, Table table) {
    var followers = new HashSet<TableName>();
    var grown = true;
    while (grown) {
      grown = false;
      for (var each : catalog.tables()) {
        if (each.foreignKeys().stream()
            .map(ForeignKey::target)
            .anyMatch(target -> target.equals(table.name()) || followers.contains(target))) {
          grown |= followers.add(each.name());
        }
      }
    }
    return new CascadeReach(followers, known(catalog, table));
  }

  private static boolean known(Catalog catalog, Table table) {
    return table.foreignKeys().stream().allMatch(key -> catalog.table(key.target()).isPresent());
  }

  /** The reach of inserted rows. */
  static CascadeReach none(Catalog catalog, Table table) {
    return new CascadeReach(Set.of(), known(catalog, table));
  }

  /** The reach of rows that get other values in these columns. */
  static CascadeReach of(Catalog catalog, Table table, List<String> columns) {
    var referred =
        catalog.tables().stream()
            .flatMap(each -> each.foreignKeys().stream())
            .filter(key -> key.target().equals(table.name()))
            .anyMatch(key -> key.targetColumns().stream().anyMatch(columns::contains));
    return referred ? of(catalog, table) : none(catalog, table);
  }

  /** Whether no other rows of the table change with those that are written. */
  boolean spares(TableName table) {
    return known && !followers.contains(table);
  }
}
