// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import dev.evita.externalapi.grpc.messages.MessageValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables and columns of one catalog by their names in the generic service. */
final class DatabaseNames {

  private final Catalog catalog;
  private final Map<String, Map<String, Table>> schemas = new HashMap<>();

  DatabaseNames(Catalog catalog) {
    this.catalog = catalog;
    for (var schema : catalog.schemas()) {
      var tables = new HashMap<String, Table>();
      schema.tables().forEach(each -> tables.put(catalog.bareApiName(each.name()), each));
      schemas.put(catalog.apiName(schema), tables);
      if (schema.name().equals(catalog.defaultSchema())) {
        schemas.put("", tables);
      }
    }
  }

  Catalog catalog() {
    return catalog;
  }

  /**
   * Returns a table.
   *
   * @param schema empty for the default one
   * @throws EvitaException {@code UNKNOWN_TABLE}
   */
  Table table(String schema, String name) {
    var table = requireSchema(schema).get(name);
    if (table == null) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_TABLE,
          "There is no table '" + MessageValues.shortened(name) + "'; Catalog lists the tables");
    }
    return table;
  }

  /**
   * Returns the tables of a schema by their names.
   *
   * @param name empty for the default one
   * @throws EvitaException {@code UNKNOWN_TABLE}
   */
  Map<String, Table> requireSchema(String name) {
    var tables = schemas.get(name);
    if (tables == null) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_TABLE,
          "There is no schema '%s'; there are %s"
              .formatted(
                  MessageValues.shortened(name),
                  catalog.schemas().stream()
                      .map(catalog::apiName)
                      .limit(20)
                      .collect(Collectors.joining(", "))));
    }
    return tables;
  }

  /**
   * Returns a column.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  Column column(Table table, String name) {
    for (var column : table.columns()) {
      if (catalog.apiName(table.name(), column.name()).equals(name)) {
        return column;
      }
    }
    throw new EvitaException(
        ErrorCode.UNKNOWN_COLUMN,
        "'%s' is no column of %s; expected one of %s"
            .formatted(
                MessageValues.shortened(name),
                catalog.apiName(table.name()),
                table.columns().stream()
                    .map(column -> catalog.apiName(table.name(), column.name()))
                    .limit(50)
                    .collect(Collectors.joining(", "))));
  }

  /** Returns the named columns, or all of them. */
  List<Column> columns(Table table, List<String> names) {
    return names.isEmpty()
        ? table.columns()
        : names.stream().map(name -> column(table, name)).toList();
  }

  /**
   * Returns a relationship of a table.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  Relationship relationship(Table table, String name) {
    return catalog.relationships(table.name()).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_COLUMN,
                "'%s' is no relationship of %s; expected one of %s"
                    .formatted(
                        MessageValues.shortened(name),
                        catalog.apiName(table.name()),
                        catalog.relationships(table.name()).stream()
                            .map(Relationship::name)
                            .collect(Collectors.joining(", ")))));
  }
}
