// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.exchange.RequestBody;
import dev.evita.externalapi.core.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A message of {@code graphql-transport-ws}.
 *
 * @param id null where there is none
 * @param payload JSON as represented by {@link JsonTree}; null where there is none
 */
public record SocketMessage(String type, @Nullable String id, @Nullable Object payload) {

  /** The sub-protocol. */
  public static final String PROTOCOL = "graphql-transport-ws";

  /**
   * Parses a client's message.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}
   */
  public static SocketMessage read(String text) {
    try {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      var json = JsonTree.parseWhole(new RequestBody(bytes, bytes.length));
      if (!(json instanceof Map<?, ?> members)) {
        throw malformed("a message is a JSON object");
      }
      if (!(members.get("type") instanceof String type)) {
        throw malformed("a message has a 'type'");
      }
      var id = members.get("id");
      if (id != null && !(id instanceof String)) {
        throw malformed("'id' is a string");
      }
      var payload = members.get("payload");
      if (payload != null && !(payload instanceof Map<?, ?>)) {
        throw malformed("'payload' is an object");
      }
      return new SocketMessage(type, (String) id, payload);
    } catch (JacksonException e) {
      throw malformed("a message is JSON");
    } catch (EvitaException e) {
      throw malformed(e.publicMessage());
    }
  }

  public static RequestError malformed(String message) {
    return RequestError.of(HttpErrorCode.MALFORMED_REQUEST, "Invalid message: " + message);
  }

  /**
   * Returns the id, which must be present.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}
   */
  public String requireId() {
    if (id == null || id.isEmpty()) {
      throw malformed("'" + type + "' needs a non-empty 'id'");
    }
    return id;
  }

  /**
   * Returns the request in the payload of {@code subscribe}.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}
   */
  public GraphQlRequest request() {
    if (!(payload instanceof Map<?, ?> members)) {
      throw malformed("'subscribe' needs a 'payload'");
    }
    var query = text(members, "query");
    var documentId = text(members, "documentId");
    var extensions = object(members, "extensions");
    if (query == null && documentId == null && !extensions.containsKey("persistedQuery")) {
      throw malformed("the payload of 'subscribe' needs a 'query'");
    }
    var operationName = text(members, "operationName");
    return new GraphQlRequest(
        query,
        documentId,
        object(members, "variables"),
        operationName == null || operationName.isEmpty() ? null : operationName,
        extensions);
  }

  private static @Nullable String text(Map<?, ?> members, String name) {
    var value = members.get(name);
    if (value != null && !(value instanceof String)) {
      throw malformed("'" + name + "' is a string");
    }
    return (String) value;
  }

  @SuppressWarnings("unchecked") // the members of JSON's objects are named by strings
  private static Map<String, @Nullable Object> object(Map<?, ?> members, String name) {
    var value = members.get(name);
    if (value != null && !(value instanceof Map<?, ?>)) {
      throw malformed("'" + name + "' is an object");
    }
    return value == null ? Map.of() : (Map<String, @Nullable Object>) value;
  }

  /** Returns a message without a payload. */
  public static byte[] of(String type, @Nullable String id) {
    return open(type, id).raw('}').take();
  }

  /** Returns a message with a payload that is JSON already. */
  public static byte[] of(String type, @Nullable String id, byte[] json) {
    return open(type, id).raw(",\"payload\":").raw(json).raw('}').take();
  }

  /** Returns a message with a payload as a client sent it. */
  public static byte[] echo(String type, @Nullable Object payload) {
    var json = open(type, null);
    if (payload != null) {
      json.raw(",\"payload\":");
      json.tree(payload);
    }
    return json.raw('}').take();
  }

  /** Returns the message that ends an operation with errors. */
  public static byte[] failed(String id, List<GraphQlError> errors) {
    var json = open("error", id).raw(",\"payload\":");
    GraphQlError.list(json, errors);
    return json.raw('}').take();
  }

  private static JsonWriter open(String type, @Nullable String id) {
    var json = JsonWriter.inMemory();
    json.raw('{');
    if (id != null) {
      json.raw("\"id\":");
      json.string(id);
      json.raw(',');
    }
    return json.raw("\"type\":\"" + type + "\"");
  }
}
