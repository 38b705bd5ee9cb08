// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table by the names of its API. Immutable. */
public final class RestTable {

  private final Table table;
  private final String name;
  private final List<Relationship> relationships;
  private final Map<String, Column> columns = new LinkedHashMap<>();

  RestTable(Catalog catalog, Table table) {
    this.table = table;
    this.name = catalog.bareApiName(table.name());
    this.relationships = catalog.relationships(table.name());
    for (var column : table.columns()) {
      columns.put(catalog.apiName(table.name(), column.name()), column);
    }
  }

  /** The result of a routine, restricted to some of its columns. */
  public RestTable(RestRoutine routine) {
    this.table = routine.routine().asView();
    this.name = routine.name();
    this.relationships = List.of();
    columns.putAll(routine.result());
  }

  public Table table() {
    return table;
  }

  public String name() {
    return name;
  }

  public List<Relationship> relationships() {
    return relationships;
  }

  /** The columns by API names, in the table's order. */
  public Map<String, Column> columns() {
    return columns;
  }

  /** The API names of the primary key's columns, in its order; empty where there is none. */
  public List<String> keyNames(Catalog catalog) {
    var key = table.primaryKey();
    return key == null
        ? List.of()
        : key.columns().stream().map(column -> catalog.apiName(table.name(), column)).toList();
  }

  public @Nullable Column column(String apiName) {
    return columns.get(apiName);
  }

  /**
   * Returns the column of this name.
   *
   * @throws RestFailure 42703
   */
  public Column requireColumn(String apiName) {
    var column = columns.get(apiName);
    if (column == null) {
      throw unknown(
          "42703", "column " + name + "." + RestFailure.shortened(apiName) + " does not exist", "");
    }
    return column;
  }

  /**
   * Returns the column of this name as the target of a write.
   *
   * @throws RestFailure PGRST204; 428C9 where the database generates its values
   */
  public Column requireWritable(String apiName) {
    var column = columns.get(apiName);
    if (column == null) {
      throw unknownMember(apiName, "");
    }
    if (!column.writable()) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "428C9",
          "The column '" + apiName + "' cannot be written, as the database makes its values",
          null,
          "Leave it out");
    }
    return column;
  }

  /**
   * Reports that a row of a body names an unknown member.
   *
   * @param more the members that are allowed beside columns, for the hint; may be empty
   */
  public RestFailure unknownMember(String apiName, String more) {
    return unknown(
        "PGRST204",
        "Could not find the '%s' column of '%s' in the schema cache"
            .formatted(RestFailure.shortened(apiName), name),
        more);
  }

  private RestFailure unknown(String code, String message, String more) {
    var names = String.join(", ", columns.keySet().stream().limit(20).toList());
    return new RestFailure(
        400, ErrorCode.UNKNOWN_COLUMN, code, message, null, "It has " + names + more);
  }
}
