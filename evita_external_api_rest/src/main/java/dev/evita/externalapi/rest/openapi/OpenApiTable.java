// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;
import static dev.evita.externalapi.rest.openapi.OpenApiTypes.reference;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import dev.evita.externalapi.rest.model.RestTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The part of the OpenAPI document that describes one table or view. Used once. */
final class OpenApiTable {

  /** Parameters of these names are no filters, whatever columns there are. */
  static final Set<String> WORDS =
      Set.of("select", "order", "limit", "offset", "and", "or", "columns", "on_conflict");

  private final Catalog catalog;
  private final RestTable rest;
  private final Table table;
  private final String resource;
  private final String component;
  private final @Nullable String profile;
  private final boolean profileRequired;
  private final OpenApiTables tables;
  private final Map<String, String> filters = new LinkedHashMap<>();

  /**
   * Creates the description of a table.
   *
   * @param resource the table's name in URLs
   * @param profile the schema that a profile header may name for it; null for none
   * @param profileRequired whether it must
   */
  OpenApiTable(
      OpenApiTables tables,
      RestTable rest,
      String resource,
      @Nullable String profile,
      boolean profileRequired) {
    this.tables = tables;
    this.catalog = tables.catalog();
    this.rest = rest;
    this.table = rest.table();
    this.resource = resource;
    this.component = tables.component(table.name());
    this.profile = profile;
    this.profileRequired = profileRequired;
    var names = new OpenApiNames();
    for (var column : rest.columns().keySet()) {
      var filter = names.unique(column);
      if (!WORDS.contains(column) && column.indexOf('.') < 0) {
        filters.put(column, component + "." + filter);
      }
    }
  }

  Map<String, @Nullable Object> tag() {
    return object(
        "name",
        component,
        "description",
        table.comment() == null ? "The table `" + resource + "`." : table.comment());
  }

  String path() {
    return "/" + OpenApiTables.segment(resource);
  }

  // ---- the path ----

  Map<String, @Nullable Object> pathItem() {
    var item = object("get", read("list", "Reads rows of"), "head", head());
    if (table.kind() == Table.Kind.VIEW) {
      return item;
    }
    if (writes(Capability.INSERT)) {
      item.put("post", insert());
    }
    if (writes(Capability.UPDATE)) {
      item.put("patch", update());
    }
    if (table.primaryKey() != null
        && filters.keySet().containsAll(rest.keyNames(catalog))
        && writes(Capability.INSERT)
        && tables.has(Capability.UPSERT)) {
      item.put("put", put());
    }
    if (writes(Capability.DELETE)) {
      item.put("delete", delete());
    }
    return item;
  }

  /** Whether the engine has such a write, which always runs in a transaction. */
  private boolean writes(Capability write) {
    return tables.has(write, Capability.TRANSACTIONS);
  }

  /** Whether a parameter can have an effect. */
  private boolean offers(String parameter) {
    return switch (parameter) {
      case "offset", "range" -> tables.has(Capability.OFFSET);
      case "onConflict" -> tables.has(Capability.UPSERT);
      case "ifMatch", "ifAbsent" -> tables.has(Capability.SERIALIZABLE);
      case "idempotencyKey" -> tables.has(Capability.INSERT, Capability.SCRIPTS);
      default -> true;
    };
  }

  private Map<String, @Nullable Object> operation(
      String verb,
      String summary,
      List<Object> parameters,
      @Nullable Object body,
      Map<String, @Nullable Object> responses) {
    var operation =
        object(
            "tags",
            List.of(component),
            "operationId",
            verb + component,
            "summary",
            summary + " `" + resource + "`",
            "parameters",
            parameters);
    if (body != null) {
      operation.put("requestBody", body);
    }
    operation.put("responses", responses);
    return operation;
  }

  private Map<String, @Nullable Object> read(String verb, String summary) {
    var rows = reference("responses", component + "Rows");
    var all = table.primaryKey() == null ? rows : reference("responses", component + "List");
    var unchanged = reference("responses", "NotModified");
    var responses = object("200", all, "206", rows, "304", unchanged);
    responses.putAll(OpenApiParts.failures("300", "400", "404", "406", "416"));
    return operation(verb, summary, readParameters(), null, responses);
  }

  private Map<String, @Nullable Object> head() {
    var responses =
        object(
            "200",
            reference("responses", "Headers"),
            "206",
            reference("responses", "Headers"),
            "304",
            reference("responses", "NotModified"));
    responses.putAll(OpenApiParts.failures("300", "400", "404", "406", "416"));
    var parameters = readParameters();
    parameters.remove(reference("parameters", "range"));
    return operation("head", "Counts rows of", parameters, null, responses);
  }

  private List<Object> readParameters() {
    var parameters = new ArrayList<Object>();
    filters.values().forEach(name -> parameters.add(reference("parameters", name)));
    for (var name :
        List.of(
            "select",
            "or",
            "and",
            "order",
            "limit",
            "offset",
            "range",
            "ifNoneMatch",
            "preferRead")) {
      if (offers(name)) {
        parameters.add(reference("parameters", name));
      }
    }
    profile(parameters, "Accept-Profile");
    return parameters;
  }

  private Map<String, @Nullable Object> insert() {
    var parameters =
        parameters("select", "order", "columns", "onConflict", "idempotencyKey", "preferInsert");
    profile(parameters, "Content-Profile");
    var row = reference("schemas", OpenApiSchemas.Form.INSERT.schema(component));
    var body = body(object("oneOf", List.of(row, object("type", "array", "items", row))));
    var responses = object("201", reference("responses", component + "Rows"));
    responses.putAll(OpenApiParts.failures("300", "400", "404", "406", "409", "413", "415", "422"));
    return operation("insert", "Adds rows to", parameters, body, responses);
  }

  private Map<String, @Nullable Object> update() {
    var parameters =
        filterParameters(
            "select",
            "order",
            "or",
            "and",
            "columns",
            "ifMatch",
            "ifAbsent",
            "idempotencyKey",
            "preferChange");
    var body = body(reference("schemas", OpenApiSchemas.Form.UPDATE.schema(component)));
    return operation(
        "update",
        "Changes the rows that pass the filter, of which there must be one, of",
        parameters,
        body,
        changed("300", "400", "404", "406", "409", "412", "413", "415", "422"));
  }

  private Map<String, @Nullable Object> delete() {
    return operation(
        "delete",
        "Removes the rows that pass the filter, of which there must be one, from",
        filterParameters(
            "select",
            "order",
            "or",
            "and",
            "ifMatch",
            "ifAbsent",
            "idempotencyKey",
            "preferChange"),
        null,
        changed("300", "400", "404", "406", "409", "412", "422"));
  }

  private Map<String, @Nullable Object> put() {
    var parameters = new ArrayList<Object>();
    for (var name : rest.keyNames(catalog)) {
      var column = rest.requireColumn(name);
      parameters.add(
          object(
              "name",
              name,
              "in",
              "query",
              "description",
              "The key of the row: `eq.` and the value that the body has as well.",
              "required",
              true,
              "schema",
              object("type", "string", "pattern", "^eq\\."),
              "example",
              "eq." + sampleText(column.type())));
    }
    parameters.addAll(
        parameters("select", "columns", "ifMatch", "ifAbsent", "idempotencyKey", "preferChange"));
    profile(parameters, "Content-Profile");
    var body = body(reference("schemas", OpenApiSchemas.Form.INSERT.schema(component)));
    return operation(
        "put",
        "Adds or replaces one row, by its key, of",
        parameters,
        body,
        changed("300", "400", "404", "405", "406", "409", "412", "413", "415", "422"));
  }

  private static String sampleText(DataType type) {
    return String.valueOf(OpenApiTypes.sample(type));
  }

  private Map<String, @Nullable Object> changed(String... failures) {
    var responses =
        object(
            "200",
            reference("responses", component + "Rows"),
            "204",
            reference("responses", "Headers"));
    responses.putAll(OpenApiParts.failures(failures));
    return responses;
  }

  private List<Object> filterParameters(String... more) {
    var parameters = new ArrayList<Object>();
    filters.values().forEach(name -> parameters.add(reference("parameters", name)));
    parameters.addAll(parameters(more));
    profile(parameters, "Content-Profile");
    return parameters;
  }

  private List<Object> parameters(String... names) {
    var parameters = new ArrayList<Object>();
    for (var name : names) {
      if (offers(name)) {
        parameters.add(reference("parameters", name));
      }
    }
    return parameters;
  }

  private void profile(List<Object> parameters, String header) {
    if (profile != null) {
      parameters.add(
          object(
              "name",
              header,
              "in",
              "header",
              "description",
              "The schema of the table.",
              "required",
              profileRequired,
              "schema",
              object("type", "string", "enum", List.of(profile))));
    }
  }

  private static Map<String, @Nullable Object> body(Map<String, @Nullable Object> schema) {
    var csv =
        object(
            "type",
            "string",
            "description",
            "A header line with the names of columns, then a line for each row.");
    return object(
        "required",
        true,
        "content",
        object("application/json", object("schema", schema), "text/csv", object("schema", csv)));
  }

  // ---- components ----

  void addSchemas(Map<String, @Nullable Object> schemas) {
    new OpenApiSchemas(tables, rest).addTo(schemas);
  }

  void addParameters(Map<String, @Nullable Object> parameters) {
    filters.forEach((column, name) -> {
      var type = rest.requireColumn(column).type();
      parameters.put(
          name,
          object(
              "name",
              column,
              "in",
              "query",
              "description",
              "Only rows whose `" + column + "` passes: an operator, a dot and a value.",
              "schema",
              object("type", "string", "pattern", "^(not\\.)?[a-z]+(\\(.+\\))?\\."),
              "example",
              OpenApiTypes.filter(type)));
    });
  }

  void addResponses(Map<String, @Nullable Object> responses) {
    var row = reference("schemas", OpenApiSchemas.Form.ROW.schema(component));
    var description = "Rows of `" + resource + "`.";
    responses.put(component + "Rows", OpenApiParts.rows(description, row));
    if (table.primaryKey() != null) {
      responses.put(component + "List", OpenApiParts.rowsOrChanges(description, row));
    }
  }
}
