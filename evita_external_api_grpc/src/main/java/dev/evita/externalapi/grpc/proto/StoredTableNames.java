// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.TableName;
import java.util.List;
import java.util.Map;

/**
 * The stored names and numbers of all tables that the database ever had, which keep them permanent.
 * Immutable.
 *
 * @param names the names of their services; a table may have none yet, as older versions stored
 *     only numbers
 * @param numbers the numbers of their fields
 */
public record StoredTableNames(
    Map<TableName, ServiceName> names, Map<TableName, List<FieldNumber>> numbers) {

  /** The state in which nothing is stored. */
  public static final StoredTableNames NONE = new StoredTableNames(Map.of(), Map.of());

  public StoredTableNames {
    names = Map.copyOf(names);
    numbers = Map.copyOf(numbers);
  }

  /** Whether anything is stored for a table. */
  boolean contains(TableName table) {
    return names.containsKey(table) || numbers.containsKey(table);
  }

  /** Whether exactly this is stored for a table. */
  boolean have(TableName table, ServiceName name, List<FieldNumber> fields) {
    var before = numbers.getOrDefault(table, List.of());
    return name.equals(names.get(table))
        && before.size() == fields.size()
        && before.containsAll(fields);
  }
}
