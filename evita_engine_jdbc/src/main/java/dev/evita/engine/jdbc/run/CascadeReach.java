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
 * How far a change of some rows of a table may go by foreign keys. What these do when their target
 * changes, the catalog does not say, so they are taken to cascade.
 *
 * @param followers the tables whose rows may change with it; the table itself is among them where
 *     it refers to itself, directly or through others
 * @param known whether all tables are in the catalog by whose changes rows of this one may change
 */
record CascadeReach(Set<TableName> followers, boolean known) {

  CascadeReach {
    followers = Set.copyOf(followers);
  }

  /** Of rows that are removed, or changed in any column. */
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

  /** Of rows that are new. */
  static CascadeReach none(Catalog catalog, Table table) {
    return new CascadeReach(Set.of(), known(catalog, table));
  }

  /** Of rows that get other values in these columns. */
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
