// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.Catalog;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of the services of all tables and the numbers of their fields: what old clients go by.
 * Immutable.
 *
 * @param byTable the numbers those of each table, as {@link FieldNumber#advance} answers them
 * @param kept whether both are kept in the database, so that they stay
 */
public record FieldNumbers(
    ServiceNames names, Map<TableName, List<FieldNumber>> byTable, boolean kept) {

  /** Before the name of a relationship. */
  static final String ARROW = "->";

  public FieldNumbers {
    byTable = Map.copyOf(byTable);
  }

  /** What the tables of a catalog get, after this was stored. */
  public static FieldNumbers advance(Catalog catalog, StoredTableNames stored, boolean kept) {
    var advanced = new HashMap<TableName, List<FieldNumber>>();
    for (var table : catalog.tables()) {
      var before = stored.numbers().getOrDefault(table.name(), List.of());
      advanced.put(table.name(), FieldNumber.advance(before, fields(catalog, table)));
    }
    return new FieldNumbers(ServiceNames.of(catalog, stored), advanced, kept);
  }

  private static List<FieldNumber> fields(Catalog catalog, Table table) {
    var fields = new ArrayList<FieldNumber>();
    for (var column : table.columns()) {
      var wire = ProtoKind.of(column.type()).wire();
      fields.add(new FieldNumber(0, column.name(), wire, column.nativeType(), fields.size() + 1));
    }
    for (var relationship : catalog.relationships(table.name())) {
      if (relationship.to().schema().equals(table.name().schema())) {
        var name = ARROW + relationship.name();
        var type = relationship.to().table() + " by " + relationship.toColumns();
        fields.add(new FieldNumber(0, name, "filter", type, fields.size() + 1));
      }
    }
    return fields;
  }

  /** The same, but not kept. */
  public FieldNumbers unkept() {
    return new FieldNumbers(names, byTable, false);
  }

  /** The tables of which something else was stored. */
  List<TableName> changed(StoredTableNames stored) {
    return byTable.keySet().stream()
        .filter(table -> !stored.have(table, names.of(table), fields(table)))
        .toList();
  }

  /** The numbers of a table's fields. */
  List<FieldNumber> fields(TableName table) {
    return byTable.getOrDefault(table, List.of());
  }

  /** The number of a column, or of a relationship by its name with an arrow. */
  int of(TableName table, String name) {
    return fields(table).stream()
        .filter(each -> each.position() > 0 && each.name().equals(name))
        .mapToInt(FieldNumber::number)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(table + " has no field " + name));
  }

  /** The numbers of fields that are gone. */
  List<Integer> gone(TableName table) {
    return fields(table).stream()
        .filter(each -> each.position() == 0)
        .map(FieldNumber::number)
        .sorted()
        .toList();
  }
}
