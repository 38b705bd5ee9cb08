// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;
import static dev.evita.externalapi.rest.openapi.OpenApiTypes.reference;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.TableName;
import dev.evita.externalapi.rest.model.RestTable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names by which the components of an OpenAPI document refer to each other's tables, and what
 * the engine can do with them.
 */
final class OpenApiTables {

  private final Catalog catalog;
  private final Set<Capability> capabilities;
  private final Map<TableName, String> components = new HashMap<>();

  /**
   * Assigns names to the tables.
   *
   * @param capabilities those of the engine
   * @param shown by their names in URLs
   */
  OpenApiTables(Catalog catalog, Set<Capability> capabilities, Map<String, RestTable> shown) {
    this.catalog = catalog;
    this.capabilities = capabilities;
    var names = new OpenApiNames();
    shown.forEach((name, table) -> components.put(table.table().name(), names.unique(name)));
  }

  /** Whether the engine has all of these capabilities. */
  boolean has(Capability... all) {
    return capabilities.containsAll(List.of(all));
  }

  Catalog catalog() {
    return catalog;
  }

  /**
   * Returns the word from which the names of a shown table's components and operations are formed.
   */
  String component(TableName table) {
    var component = components.get(table);
    if (component == null) {
      throw new IllegalArgumentException("not shown: " + table);
    }
    return component;
  }

  /**
   * Returns the schema of a table's rows; of any object if the document does not include the table.
   */
  Map<String, @Nullable Object> row(TableName table) {
    var component = components.get(table);
    return component == null
        ? object("type", "object")
        : reference("schemas", OpenApiSchemas.Form.ROW.schema(component));
  }

  /** A name as a segment of a path. */
  static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
