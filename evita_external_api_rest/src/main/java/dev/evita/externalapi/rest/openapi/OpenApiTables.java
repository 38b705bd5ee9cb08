// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;
import static dev.evita.externalapi.rest.openapi.OpenApiTypes.reference;

import dev.evita.api.Catalog;
import dev.evita.api.TableName;
import dev.evita.externalapi.rest.model.RestTable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names by which the components of an OpenAPI document refer to each other's tables. */
final class OpenApiTables {

  private final Catalog catalog;
  private final Map<TableName, String> components = new HashMap<>();

  /**
   * Assigns names to the tables.
   *
   * @param shown by their names in URLs
   */
  OpenApiTables(Catalog catalog, Map<String, RestTable> shown) {
    this.catalog = catalog;
    var names = new OpenApiNames();
    shown.forEach((name, table) -> components.put(table.table().name(), names.unique(name)));
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
