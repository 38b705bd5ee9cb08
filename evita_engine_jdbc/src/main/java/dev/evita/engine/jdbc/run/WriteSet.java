// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.KeyValues;
import dev.evita.api.TableName;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The uncommitted writes: tables, and the keys of their rows as long as all of them are known. Not
 * thread-safe.
 */
final class WriteSet {

  /** With more keys, tracking them costs more than it saves. */
  static final int MOST_KEYS = 256;

  private final Set<TableName> tables = new HashSet<>();
  private final Map<TableName, Set<KeyValues>> keys = new HashMap<>();
  private final Set<TableName> anywhere = new HashSet<>();
  private boolean unknown;

  /** Adds any rows of any tables. */
  void anything() {
    unknown = true;
  }

  /** Whether unknown tables may have been written. */
  boolean unknown() {
    return unknown;
  }

  /** Whether nothing was written. */
  boolean isEmpty() {
    return tables.isEmpty() && !unknown;
  }

  /** Adds any rows of these tables. */
  void tables(Collection<TableName> written) {
    tables.addAll(written);
    anywhere.addAll(written);
  }

  /** Adds these rows, and no others of the table. */
  void rows(TableName table, Collection<KeyValues> rows) {
    tables.add(table);
    var known = keys.computeIfAbsent(table, key -> new HashSet<>());
    known.addAll(rows);
    if (known.size() > MOST_KEYS) {
      anywhere.add(table);
    }
  }

  /** Adds unknown rows of these tables, changed through foreign keys. */
  void followed(Collection<TableName> followers) {
    anywhere.addAll(followers);
  }

  /** All written tables. */
  Set<TableName> tables() {
    return tables;
  }

  /** The keys of all written rows, for the tables for which they are known. */
  Map<TableName, Set<KeyValues>> keys() {
    if (unknown) {
      return Map.of();
    }
    var known = new HashMap<>(keys);
    known.keySet().removeAll(anywhere);
    return known;
  }
}
