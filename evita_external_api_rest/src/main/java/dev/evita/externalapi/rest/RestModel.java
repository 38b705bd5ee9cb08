// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.TableName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of a catalog by schema and name, as URLs and profile headers have them. Immutable. */
final class RestModel {

  private final Catalog catalog;
  private final Map<String, Map<String, RestTable>> schemas = new LinkedHashMap<>();
  private final Map<TableName, RestTable> tables = new HashMap<>();
  private final Map<String, RestTable> byDefault = new LinkedHashMap<>();

  RestModel(Catalog catalog) {
    this.catalog = catalog;
    for (var schema : catalog.schemas()) {
      var own = new LinkedHashMap<String, RestTable>();
      for (var table : schema.tables()) {
        var rest = new RestTable(catalog, table);
        own.put(rest.name(), rest);
        tables.put(table.name(), rest);
        byDefault.put(catalog.apiName(table.name()), rest);
      }
      schemas.put(catalog.apiName(schema), own);
    }
  }

  Catalog catalog() {
    return catalog;
  }

  RestTable table(TableName name) {
    return Objects.requireNonNull(tables.get(name));
  }

  /**
   * The table that a URL names.
   *
   * @param profile the schema, by its API name; null for the default one, in which tables of the
   *     others are known by {@code schema_table}
   * @throws RestFailure PGRST106 for a schema that is not there, PGRST205 for such a table
   */
  RestTable require(@Nullable String profile, String name) {
    var candidates = profile == null ? byDefault : schemas.get(profile);
    if (candidates == null) {
      throw new RestFailure(
          406,
          ErrorCode.NOT_ACCEPTABLE,
          "PGRST106",
          "There is no schema '" + RestFailure.shortened(String.valueOf(profile)) + "'",
          null,
          "There are " + String.join(", ", schemas.keySet().stream().limit(20).toList()));
    }
    var table = candidates.get(name);
    if (table == null) {
      throw new RestFailure(
          404,
          ErrorCode.UNKNOWN_TABLE,
          "PGRST205",
          "Could not find the table '" + RestFailure.shortened(name) + "' in the schema cache",
          null,
          null);
    }
    return table;
  }
}
