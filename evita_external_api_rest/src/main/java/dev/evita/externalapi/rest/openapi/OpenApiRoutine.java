// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;
import static dev.evita.externalapi.rest.openapi.OpenApiTypes.reference;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Routine;
import dev.evita.externalapi.rest.model.RestRoutine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The part of the OpenAPI document that describes the routines of one name. Used once. */
final class OpenApiRoutine {

  private static final String TAG = "Routines";

  private final String resource;
  private final String component;
  private final List<RestRoutine> routines;
  private final @Nullable String profile;

  /**
   * Creates the description of routines.
   *
   * @param resource their name in URLs
   * @param component the word that the names of its parts are made with
   * @param profile the schema that must be named; null for none
   */
  OpenApiRoutine(
      String resource, String component, List<RestRoutine> routines, @Nullable String profile) {
    this.resource = resource;
    this.component = component;
    this.routines = List.copyOf(routines);
    this.profile = profile;
  }

  static Map<String, @Nullable Object> tag() {
    return object("name", TAG, "description", "Stored functions and procedures.");
  }

  String path() {
    return "/rpc/" + OpenApiTables.segment(resource);
  }

  Map<String, @Nullable Object> pathItem() {
    var item = object();
    var reading = routines.stream().filter(each -> each.routine().readOnly()).toList();
    if (!reading.isEmpty() && reading.stream().allMatch(OpenApiRoutine::fitsUrl)) {
      item.put("get", read(reading));
    }
    item.put("post", call());
    return item;
  }

  /** Whether no parameter's name has another meaning in a URL. */
  private static boolean fitsUrl(RestRoutine routine) {
    return routine.parameters().keySet().stream().noneMatch(OpenApiTable.WORDS::contains);
  }

  private Map<String, @Nullable Object> read(List<RestRoutine> reading) {
    var parameters = new ArrayList<Object>();
    all(reading)
        .forEach((name, column) -> {
          var always = reading.stream().allMatch(each -> requires(each, name));
          parameters.add(parameter("query", name, always, argument(column.type())));
        });
    parameters.addAll(shaping(reading));
    return operation("read", parameters, "Accept-Profile", null, "300", "400", "404", "405", "406");
  }

  private Map<String, @Nullable Object> call() {
    var parameters = new ArrayList<>(shaping(routines));
    parameters.add(reference("parameters", "preferCall"));
    var schema = reference("schemas", component + "Arguments");
    var body = object("content", object("application/json", object("schema", schema)));
    body.put("required", routines.stream().noneMatch(each -> each.takes(Set.of())));
    return operation(
        "call",
        parameters,
        "Content-Profile",
        body,
        "300",
        "400",
        "404",
        "405",
        "406",
        "409",
        "413",
        "415");
  }

  /** The parameters that apply to rows: a single value has nothing to select from. */
  private static List<Object> shaping(List<RestRoutine> routines) {
    var rows =
        routines.stream()
            .map(RestRoutine::routine)
            .anyMatch(each -> !each.result().isEmpty() && !(each.scalar() && !each.returnsMany()));
    return rows
        ? Stream.of("select", "limit", "offset")
            .<Object>map(name -> reference("parameters", name))
            .toList()
        : List.of();
  }

  private Map<String, @Nullable Object> operation(
      String verb,
      List<Object> parameters,
      String profileHeader,
      @Nullable Object body,
      String... failures) {
    if (profile != null) {
      var schema = object("type", "string", "enum", List.of(profile));
      parameters.add(parameter("header", profileHeader, true, schema));
    }
    var operation =
        object("tags", List.of(TAG), "operationId", verb + component, "summary", summary());
    operation.put("parameters", parameters);
    if (body != null) {
      operation.put("requestBody", body);
    }
    operation.put("responses", responses(failures));
    return operation;
  }

  private String summary() {
    return "Calls `" + resource + "`";
  }

  private Map<String, @Nullable Object> responses(String... failures) {
    var responses = object();
    if (routines.stream().anyMatch(each -> !each.result().isEmpty())) {
      responses.put("200", reference("responses", component + "Answer"));
    }
    if (routines.stream().anyMatch(each -> each.result().isEmpty())) {
      responses.put("204", reference("responses", "Headers"));
    }
    responses.putAll(OpenApiParts.failures(failures));
    return responses;
  }

  private static Map<String, @Nullable Object> parameter(
      String in, String name, boolean required, Map<String, @Nullable Object> schema) {
    return object("name", name, "in", in, "required", required, "schema", schema);
  }

  /** The type as it appears in a URL, which carries only texts. */
  private static Map<String, @Nullable Object> argument(DataType type) {
    if (type instanceof DataType.Array) {
      return object("type", "string", "pattern", "^\\{.*\\}$");
    }
    return type == DataType.Scalar.JSON
        ? object("type", "string", "contentMediaType", "application/json", "minLength", 1)
        : OpenApiTypes.schema(type, false);
  }

  private static Map<String, Column> all(List<RestRoutine> routines) {
    var all = new LinkedHashMap<String, Column>();
    routines.forEach(each -> each.parameters().forEach(all::putIfAbsent));
    return all;
  }

  private static boolean requires(RestRoutine routine, String name) {
    var parameter = routine.parameters().get(name);
    return parameter != null && parameter.defaultExpression() == null;
  }

  // ---- components ----

  void addSchemas(Map<String, @Nullable Object> schemas) {
    schemas.put(
        component + "Arguments", oneOf(routines.stream().map(OpenApiRoutine::arguments).toList()));
    var results = routines.stream().filter(each -> !each.result().isEmpty()).toList();
    if (!results.isEmpty()) {
      schemas.put(
          component + "Result", oneOf(results.stream().map(OpenApiRoutine::result).toList()));
    }
  }

  private static Map<String, @Nullable Object> oneOf(List<Map<String, @Nullable Object>> all) {
    var distinct = all.stream().distinct().toList();
    return distinct.size() == 1 ? distinct.getFirst() : object("anyOf", distinct);
  }

  private static Map<String, @Nullable Object> arguments(RestRoutine routine) {
    var required =
        routine.parameters().keySet().stream().filter(name -> requires(routine, name)).toList();
    var schema = columns(routine.parameters());
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    var comment = routine.routine().comment();
    if (comment != null) {
      schema.put("description", comment);
    }
    return schema;
  }

  private static Map<String, @Nullable Object> result(RestRoutine routine) {
    return routine.routine().scalar()
        ? OpenApiTypes.schema(routine.routine().result().getFirst().type(), true)
        : columns(routine.result());
  }

  private static Map<String, @Nullable Object> columns(Map<String, Column> columns) {
    var properties = object();
    columns.forEach((name, column) -> {
      var property = OpenApiTypes.schema(column.type(), true);
      property.put("description", "`" + column.nativeType() + "`");
      properties.put(name, property);
    });
    return object("type", "object", "properties", properties);
  }

  void addResponses(Map<String, @Nullable Object> responses) {
    if (routines.stream().allMatch(each -> each.result().isEmpty())) {
      return;
    }
    var value = reference("schemas", component + "Result");
    var forms =
        routines.stream()
            .map(RestRoutine::routine)
            .filter(each -> !each.result().isEmpty())
            .map(Routine::returnsMany)
            .distinct()
            .map(many -> many ? object("type", "array", "items", value) : value)
            .toList();
    responses.put(
        component + "Answer",
        OpenApiParts.rows(
            Objects.requireNonNullElse(comment(), "The result of `" + resource + "`."),
            oneOf(forms),
            value));
  }

  private @Nullable String comment() {
    return routines.getFirst().routine().comment();
  }
}
