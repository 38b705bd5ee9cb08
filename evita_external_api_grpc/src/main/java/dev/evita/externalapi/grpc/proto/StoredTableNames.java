// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.TableName;
import java.util.List;
import java.util.Map;

/**
 * What the database keeps of all tables that it ever had, so that it stays. Immutable.
 *
 * @param names of their services; a table may have none yet, as numbers alone were kept once
 * @param numbers of their fields
 */
public record StoredTableNames(
    Map<TableName, ServiceName> names, Map<TableName, List<FieldNumber>> numbers) {

  /** Nothing was ever kept. */
  public static final StoredTableNames NONE = new StoredTableNames(Map.of(), Map.of());

  public StoredTableNames {
    names = Map.copyOf(names);
    numbers = Map.copyOf(numbers);
  }

  /** Whether anything is kept of a table. */
  boolean know(TableName table) {
    return names.containsKey(table) || numbers.containsKey(table);
  }

  /** Whether just this is kept of a table. */
  boolean have(TableName table, ServiceName name, List<FieldNumber> fields) {
    var before = numbers.getOrDefault(table, List.of());
    return name.equals(names.get(table))
        && before.size() == fields.size()
        && before.containsAll(fields);
  }
}
