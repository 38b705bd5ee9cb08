// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Derives relationships, in both directions, from foreign keys and names them.
 *
 * <p>A to-one relationship is named after its foreign-key column without {@code _id} ({@code
 * brand_id} gives {@code brand}), or after the referenced table if there is no such column; a
 * to-many one after the referencing table. If a name would be ambiguous or is used by a column,
 * {@code _by_<columns>} is appended to all conflicting names, so that a further foreign key does
 * not rename relationships depending on their order.
 */
final class Relationships {

  /** A relationship with its names in order of preference. */
  private record Candidate(Relationship relationship, List<String> names) {}

  private Relationships() {}

  static Map<TableName, List<Relationship>> derive(Catalog catalog) {
    var candidates = new LinkedHashMap<TableName, List<Candidate>>();
    catalog.tables().forEach(table -> candidates.put(table.name(), new ArrayList<>()));
    for (var table : catalog.tables()) {
      for (var key : table.foreignKeys()) {
        if (catalog.table(key.target()).isPresent()) {
          of(candidates, table.name()).add(toOne(catalog, table, key));
        }
      }
    }
    for (var table : catalog.tables()) {
      for (var key : table.foreignKeys()) {
        if (catalog.table(key.target()).isPresent()) {
          of(candidates, key.target()).add(reverse(catalog, table, key));
        }
      }
    }
    var derived = new LinkedHashMap<TableName, List<Relationship>>();
    candidates.forEach((table, list) -> derived.put(table, named(catalog, table, list)));
    return derived;
  }

  private static List<Candidate> of(Map<TableName, List<Candidate>> map, TableName table) {
    return map.computeIfAbsent(table, name -> new ArrayList<>());
  }

  private static Candidate toOne(Catalog catalog, Table table, ForeignKey key) {
    var target = catalog.apiName(key.target());
    var names = new ArrayList<String>();
    var stem = stem(catalog, table.name(), key);
    if (stem != null) {
      names.add(stem);
    }
    names.add(target);
    names.add(target + "_by_" + joined(catalog, table.name(), key));
    return new Candidate(
        new Relationship(
            "", table.name(), key.columns(), key.target(), key.targetColumns(), true, key.name()),
        names);
  }

  private static Candidate reverse(Catalog catalog, Table table, ForeignKey key) {
    var source = catalog.apiName(table.name());
    var single = table.identifies(key.columns());
    return new Candidate(
        new Relationship(
            "", key.target(), key.targetColumns(), table.name(), key.columns(), single, key.name()),
        List.of(source, source + "_by_" + joined(catalog, table.name(), key)));
  }

  private static @Nullable String stem(Catalog catalog, TableName table, ForeignKey key) {
    if (key.columns().size() != 1) {
      return null;
    }
    var column = catalog.apiName(table, key.columns().getFirst());
    return column.length() > 3 && column.endsWith("_id")
        ? column.substring(0, column.length() - 3)
        : null;
  }

  private static String joined(Catalog catalog, TableName table, ForeignKey key) {
    return key.columns().stream()
        .map(column -> catalog.apiName(table, column))
        .collect(Collectors.joining("_"));
  }

  private static List<Relationship> named(
      Catalog catalog, TableName table, List<Candidate> candidates) {
    var taken = new HashSet<String>();
    for (var column : catalog.requireTable(table).columns()) {
      taken.add(catalog.apiName(table, column.name()));
    }
    var names = new String[candidates.size()];
    var longest = candidates.stream().mapToInt(c -> c.names().size()).max().orElse(0);
    for (int preference = 0; preference < longest; preference++) {
      award(candidates, preference, names, taken);
    }
    var result = new ArrayList<Relationship>();
    for (int i = 0; i < names.length; i++) {
      var name = names[i] != null ? names[i] : numbered(candidates.get(i).names(), taken);
      result.add(candidates.get(i).relationship().named(name));
    }
    return List.copyOf(result);
  }

  /**
   * Assigns each unnamed candidate its name of this preference, if no other candidate prefers it.
   */
  private static void award(
      List<Candidate> candidates, int preference, @Nullable String[] names, Set<String> taken) {
    var wanted = new HashMap<String, Integer>();
    for (int i = 0; i < names.length; i++) {
      if (names[i] == null) {
        wanted.merge(preferred(candidates.get(i), preference), 1, Integer::sum);
      }
    }
    for (int i = 0; i < names.length; i++) {
      var name = preferred(candidates.get(i), preference);
      if (names[i] == null && wanted.getOrDefault(name, 0) == 1 && taken.add(name)) {
        names[i] = name;
      }
    }
  }

  private static String preferred(Candidate candidate, int preference) {
    var names = candidate.names();
    return names.get(Math.min(preference, names.size() - 1));
  }

  private static String numbered(List<String> names, Set<String> taken) {
    for (int number = 2; ; number++) {
      var name = names.getLast() + "_" + number;
      if (taken.add(name)) {
        return name;
      }
    }
  }

  static void requireDistinct(
      String table, @Nullable Map<String, String> columns, List<Relationship> relationships) {
    var taken = new HashSet<>(columns == null ? List.of() : columns.values());
    for (var relationship : relationships) {
      if (!taken.add(relationship.name())) {
        throw new EvitaException(
            ErrorCode.INVALID_CONFIGURATION,
            "Relationship name '"
                + relationship.name()
                + "' is already used in table '"
                + table
                + "'; choose another");
      }
    }
  }
}
