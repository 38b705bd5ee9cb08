// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;
import static dev.evita.externalapi.rest.openapi.OpenApiTypes.reference;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the OpenAPI document that describes several requests in one transaction. */
final class OpenApiBatch {

  static final String PATH = "/$batch";

  private OpenApiBatch() {}

  static Map<String, @Nullable Object> pathItem() {
    var responses =
        object(
            "200",
            object(
                "description",
                "All of them were done.",
                "content",
                json(reference("schemas", "BatchAnswers"))));
    responses.putAll(OpenApiParts.failures("400", "404", "405", "406", "409", "412", "413", "415"));
    responses.put("422", reference("responses", "Failure422"));
    return object(
        "post",
        object(
            "operationId",
            "runBatch",
            "summary",
            "Does several requests in one transaction: all of them, or none",
            "parameters",
            List.of(reference("parameters", "idempotencyKey")),
            "requestBody",
            object("required", true, "content", json(reference("schemas", "BatchRequests"))),
            "responses",
            responses));
  }

  private static Map<String, @Nullable Object> json(Map<String, @Nullable Object> schema) {
    return object("application/json", object("schema", schema));
  }

  static void addSchemas(Map<String, @Nullable Object> schemas) {
    var text = object("type", "string");
    var headers = object("type", "object", "additionalProperties", text);
    schemas.put(
        "BatchRequests",
        many(
            "requests",
            object(
                "id", described("By which later requests refer to its rows."),
                "method", object("type", "string", "enum", methods()),
                "url", described("Below that of the server: `brands?id=eq.1`."),
                "headers", headers,
                "body", object("description", "JSON, or a text for another media type.")),
            List.of("method", "url"),
            false));
    schemas.put(
        "BatchAnswers",
        many(
            "responses",
            object(
                "id", object("type", List.of("string", "null")),
                "status", object("type", "integer", "format", "int32"),
                "headers", headers,
                "body", object()),
            List.of("status"),
            true));
  }

  private static List<String> methods() {
    return List.of("GET", "POST", "PUT", "PATCH", "DELETE");
  }

  private static Map<String, @Nullable Object> described(String description) {
    return object("type", "string", "description", description);
  }

  private static Map<String, @Nullable Object> many(
      String name, Map<String, @Nullable Object> properties, List<String> required, boolean open) {
    var each = object("type", "object", "properties", properties, "required", required);
    var all =
        object(
            "type",
            "object",
            "properties",
            object(name, object("type", "array", "items", each)),
            "required",
            List.of(name));
    if (!open) {
      each.put("additionalProperties", false);
      all.put("additionalProperties", false);
    }
    return all;
  }
}
