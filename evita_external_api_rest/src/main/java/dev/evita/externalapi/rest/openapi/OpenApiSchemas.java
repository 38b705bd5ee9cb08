// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import dev.evita.externalapi.rest.model.RestTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The schemas of a table's rows in an OpenAPI document. Used once. */
final class OpenApiSchemas {

  /** The schemas of a row as read, as inserted, and as updated. */
  enum Form {
    ROW("Row"),
    INSERT("Insert"),
    UPDATE("Update");

    private final String suffix;

    Form(String suffix) {
      this.suffix = suffix;
    }

    String schema(String component) {
      return component + suffix;
    }
  }

  private final OpenApiTables tables;
  private final Catalog catalog;
  private final RestTable rest;
  private final Table table;
  private final String component;
  private final List<String> key;

  OpenApiSchemas(OpenApiTables tables, RestTable rest) {
    this.tables = tables;
    this.catalog = tables.catalog();
    this.rest = rest;
    this.table = rest.table();
    this.component = tables.component(table.name());
    this.key = rest.keyNames(catalog);
  }

  void addTo(Map<String, @Nullable Object> schemas) {
    schemas.put(Form.ROW.schema(component), schema(Form.ROW));
    if (table.kind() == Table.Kind.TABLE) {
      schemas.put(Form.INSERT.schema(component), schema(Form.INSERT));
      schemas.put(Form.UPDATE.schema(component), schema(Form.UPDATE));
    }
  }

  private Map<String, @Nullable Object> schema(Form form) {
    var properties = object();
    var required = new ArrayList<String>();
    var example = object();
    rest.columns()
        .forEach((name, column) -> {
          if (form != Form.ROW && !column.writable()) {
            return;
          }
          properties.put(name, property(name, column, form));
          var sample = OpenApiTypes.sample(column.type());
          if (sample != null && (form != Form.UPDATE || !key.contains(name))) {
            example.put(name, sample);
          }
          if (form == Form.INSERT && column.required()) {
            required.add(name);
          }
        });
    if (form == Form.ROW) {
      rest.relationships().forEach(each -> properties.put(each.name(), related(each)));
    }
    var schema = object("type", "object");
    if (table.comment() != null) {
      schema.put("description", table.comment());
    }
    schema.put("properties", properties);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    schema.put("examples", List.of(example));
    return schema;
  }

  private Map<String, @Nullable Object> property(String name, Column column, Form form) {
    var property = OpenApiTypes.schema(column.type(), column.nullable());
    property.put("description", description(name, column));
    var expression = column.defaultExpression();
    if (form == Form.INSERT && expression != null) {
      var literal = OpenApiTypes.literal(column.type(), expression);
      if (literal != null) {
        property.put("default", literal);
      }
    }
    if (form == Form.ROW && !column.writable()) {
      property.put("readOnly", true);
    }
    return property;
  }

  private String description(String name, Column column) {
    var text = new StringBuilder();
    if (column.comment() != null) {
      text.append(column.comment()).append("\n\n");
    }
    text.append('`').append(column.nativeType()).append('`');
    if (key.contains(name)) {
      text.append(", primary key");
    }
    for (var key : table.foreignKeys()) {
      var at = key.columns().indexOf(column.name());
      if (at >= 0 && catalog.table(key.target()).isPresent()) {
        text.append(", refers to `")
            .append(catalog.apiName(key.target()))
            .append('.')
            .append(catalog.apiName(key.target(), key.targetColumns().get(at)))
            .append('`');
      }
    }
    switch (column.generation()) {
      case NONE -> {
        if (column.defaultExpression() != null) {
          text.append(", default `").append(column.defaultExpression()).append('`');
        }
      }
      case IDENTITY_BY_DEFAULT -> text.append(", made by the database where it is left out");
      case IDENTITY_ALWAYS, COMPUTED -> text.append(", made by the database");
    }
    return text.toString();
  }

  private Map<String, @Nullable Object> related(Relationship relationship) {
    var row = tables.row(relationship.to());
    var schema =
        relationship.single()
            ? object("anyOf", List.of(row, object("type", "null")))
            : object("type", "array", "items", row);
    schema.put("description", "Present if `select` contains `" + relationship.name() + "(...)`.");
    schema.put("readOnly", true);
    return schema;
  }
}
