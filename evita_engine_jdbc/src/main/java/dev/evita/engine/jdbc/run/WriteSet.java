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
 * What was written and not committed yet: tables, and the keys of their rows as long as all of them
 * are known. Not thread-safe.
 */
final class WriteSet {

  /** Beyond it, telling the keys apart costs more than it saves. */
  static final int MOST_KEYS = 256;

  private final Set<TableName> tables = new HashSet<>();
  private final Map<TableName, Set<KeyValues>> keys = new HashMap<>();
  private final Set<TableName> anywhere = new HashSet<>();
  private boolean unknown;

  /** Any rows of any tables may have been written. */
  void anything() {
    unknown = true;
  }

  /** Whether tables may have been written of which nothing was told. */
  boolean unknown() {
    return unknown;
  }

  /** Whether nothing was written. */
  boolean isEmpty() {
    return tables.isEmpty() && !unknown;
  }

  /** Any rows of these may have been written. */
  void tables(Collection<TableName> written) {
    tables.addAll(written);
    anywhere.addAll(written);
  }

  /** These rows have been written, and no others of the table. */
  void rows(TableName table, Collection<KeyValues> rows) {
    tables.add(table);
    var known = keys.computeIfAbsent(table, key -> new HashSet<>());
    known.addAll(rows);
    if (known.size() > MOST_KEYS) {
      anywhere.add(table);
    }
  }

  /** If rows of these were written, too, then by foreign keys, and it is not known which. */
  void followed(Collection<TableName> followers) {
    anywhere.addAll(followers);
  }

  /** All tables. */
  Set<TableName> tables() {
    return tables;
  }

  /** The keys of all rows that were written, for those of the tables for which they are known. */
  Map<TableName, Set<KeyValues>> keys() {
    if (unknown) {
      return Map.of();
    }
    var known = new HashMap<>(keys);
    known.keySet().removeAll(anywhere);
    return known;
  }
}
