// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;
import static dev.evita.externalapi.rest.openapi.OpenApiTypes.reference;

import dev.evita.externalapi.core.exchange.Problems;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.rest.response.RowFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts that all paths of an OpenAPI document share. */
final class OpenApiParts {

  private static final Map<String, String> FAILURES = new LinkedHashMap<>();

  static {
    FAILURES.put("300", "Several relationships would do; the hint names them.");
    FAILURES.put("400", "A URL, header or body that does not follow its rules, by its code.");
    FAILURES.put("404", "An unknown table.");
    FAILURES.put("405", "PUT by anything but the key.");
    FAILURES.put("406", "An unknown schema or media type, or not exactly one row.");
    FAILURES.put("409", "A key that exists, or a row that is referred to or refers to none.");
    FAILURES.put("412", "The condition of `If-Match` or `If-None-Match` does not hold.");
    FAILURES.put("413", "A body larger than `max-body-bytes`.");
    FAILURES.put("415", "A body of another media type.");
    FAILURES.put("422", "An `Idempotency-Key` that came with another request before.");
    FAILURES.put("416", "A range that begins behind the last row.");
  }

  private static final String FAILURE = "Failure";
  private static final String OTHER = "Any other failure; 503 and `Retry-After` while overloaded.";

  private OpenApiParts() {}

  /** Returns these failures and the default one, by status. */
  static Map<String, @Nullable Object> failures(String... statuses) {
    var responses = object();
    for (var status : statuses) {
      responses.put(status, reference("responses", FAILURE + status));
    }
    responses.put("default", reference("responses", FAILURE));
    return responses;
  }

  /** A response of rows, in each supported format. */
  static Map<String, @Nullable Object> rows(String description, Map<String, @Nullable Object> row) {
    return rows(description, object("type", "array", "items", row), row);
  }

  /**
   * A response of rows whose JSON format has another schema.
   *
   * @param json the schema of that
   */
  static Map<String, @Nullable Object> rows(
      String description, Map<String, @Nullable Object> json, Map<String, @Nullable Object> row) {
    return response(description, content(json, row));
  }

  /** The same, or what becomes of the rows from then on. */
  static Map<String, @Nullable Object> rowsOrChanges(
      String description, Map<String, @Nullable Object> row) {
    var content = content(object("type", "array", "items", row), row);
    var events = object("type", "string", "description", "Events of the changes of these rows.");
    content.put(EventStream.MEDIA_TYPE, object("schema", events));
    return response(description, content);
  }

  private static Map<String, @Nullable Object> content(
      Map<String, @Nullable Object> json, Map<String, @Nullable Object> row) {
    var content = object();
    for (var format : RowFormat.WHOLE) {
      content.put(format.mediaType(), object("schema", form(format, json, row)));
    }
    return content;
  }

  private static Map<String, @Nullable Object> response(
      String description, Map<String, @Nullable Object> content) {
    return object("description", description, "headers", headers(), "content", content);
  }

  private static Map<String, @Nullable Object> form(
      RowFormat format, Map<String, @Nullable Object> json, Map<String, @Nullable Object> row) {
    return switch (format) {
      case JSON, STRIPPED_JSON -> json;
      case OBJECT, STRIPPED_OBJECT -> row;
      case CSV -> object("type", "string", "description", "RFC 4180, with a header line.");
      case NDJSON -> object("type", "string", "description", "A row's object in each line.");
    };
  }

  private static Map<String, @Nullable Object> headers() {
    return object(
        "Content-Range",
        reference("headers", "ContentRange"),
        "Preference-Applied",
        reference("headers", "PreferenceApplied"),
        "Location",
        reference("headers", "Location"),
        "ETag",
        reference("headers", "ETag"));
  }

  static Map<String, @Nullable Object> allHeaders() {
    return object(
        "ContentRange",
        header("Which rows came, of how many: `0-19/57`, `0-19/*`, `*/0`."),
        "PreferenceApplied",
        header("The preferences that were applied."),
        "Location",
        header("The one row that was added, with `Prefer: return=headers-only`."),
        "ETag",
        header("The hash of the returned rows; absent if the response is streamed."));
  }

  private static Map<String, @Nullable Object> header(String description) {
    return object("description", description, "schema", object("type", "string"));
  }

  static void addResponses(Map<String, @Nullable Object> responses) {
    responses.put(
        "Headers", object("description", "Done; there is no body.", "headers", headers()));
    responses.put(
        "NotModified",
        object(
            "description",
            "The client has these rows already.",
            "headers",
            object("ETag", reference("headers", "ETag"))));
    FAILURES.forEach((status, text) -> responses.put(FAILURE + status, failure(text)));
    responses.put(FAILURE, failure(OTHER));
  }

  private static Map<String, @Nullable Object> failure(String description) {
    var schema = reference("schemas", "Problem");
    return object(
        "description",
        description,
        "content",
        object(Problems.MEDIA_TYPE, object("schema", schema)));
  }

  /** RFC 9457, with PostgREST's members. */
  static Map<String, @Nullable Object> problem() {
    var text = object("type", "string");
    var textOrNull = object("type", List.of("string", "null"));
    return object(
        "type",
        "object",
        "description",
        "A problem document (RFC 9457) with PostgREST's members.",
        "properties",
        object(
            "type", object("type", "string", "format", "uri-reference"),
            "title", text,
            "status", object("type", "integer", "format", "int32"),
            "detail", text,
            "error",
                object(
                    "type",
                    "string",
                    "description",
                    "The code that all protocols of this server share."),
            "code",
                object("type", "string", "description", "PostgREST's own code or the SQLSTATE."),
            "message", text,
            "details", textOrNull,
            "hint", textOrNull),
        "required",
        List.of("type", "status", "code"),
        "examples",
        List.of(
            object(
                "type",
                "about:blank",
                "status",
                400,
                "error",
                "UNKNOWN_COLUMN",
                "code",
                "42703",
                "message",
                "column brands.nme does not exist",
                "details",
                null,
                "hint",
                "It has id, name")));
  }

  static void addParameters(Map<String, @Nullable Object> parameters) {
    parameters.put(
        "select",
        query(
            "select",
            "Columns, `alias:column`, `column::text`, related rows `brand(name)`, aggregates"
                + " `price.avg()`; `*` for all columns.",
            "*"));
    parameters.put(
        "order",
        names(
            "order",
            "Columns with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`:"
                + " `price.desc.nullslast,name`.",
            null));
    parameters.put(
        "or", filters("or", "Of these filters one must pass: `(id.eq.1,name.like.A*)`."));
    parameters.put("and", filters("and", "All of these filters must pass: `(id.gt.1,id.lt.9)`."));
    parameters.put("limit", number("limit", "Maximum number of rows.", 20));
    parameters.put("offset", number("offset", "How many rows to leave out.", 0));
    parameters.put(
        "columns",
        names(
            "columns",
            "Only these columns are read from the body, of which a row may leave some out.",
            null));
    parameters.put(
        "onConflict",
        names(
            "on_conflict",
            "The columns of the unique key by which `Prefer: resolution=` finds rows; without it,"
                + " the primary key.",
            null));
    parameters.put(
        "range", header("Range", "The rows to return, like `limit` and `offset`.", "0-9"));
    parameters.put(
        "ifNoneMatch",
        header(
            "If-None-Match",
            "Tags of the client's copies; the response is 304 if one is current.",
            null));
    parameters.put(
        "idempotencyKey",
        parameter(
            "header",
            "Idempotency-Key",
            "A request with this key is executed once; repetitions receive the stored response.",
            object("type", "string", "minLength", 1, "maxLength", IdempotencyKeys.MAX_LENGTH),
            "a2f8c1d4"));
    parameters.put(
        "ifMatch",
        header(
            "If-Match",
            "Writes only if `GET` of the same URL still has this tag; `*`: if a row exists.",
            null));
    parameters.put("ifAbsent", header("If-None-Match", "`*`: writes only if no row exists.", null));
    parameters.put(
        "preferRead", header("Prefer", "`count=exact`, `handling=strict|lenient`.", "count=exact"));
    parameters.put(
        "preferInsert",
        header(
            "Prefer",
            "`return=minimal|headers-only|representation`,"
                + " `resolution=merge-duplicates|ignore-duplicates`, `missing=default|null`,"
                + " `count=exact`, `tx=commit|rollback`, `handling=strict|lenient`,"
                + " `max-affected=N`.",
            "return=representation"));
    parameters.put(
        "preferCall",
        header(
            "Prefer",
            "`tx=commit|rollback`, `handling=strict|lenient`, `max-affected=N`.",
            "tx=rollback"));
    parameters.put(
        "preferChange",
        header(
            "Prefer",
            "`return=minimal|headers-only|representation`, `count=exact`, `tx=commit|rollback`,"
                + " `handling=strict|lenient`, `max-affected=N`.",
            "return=representation"));
  }

  private static Map<String, @Nullable Object> query(
      String name, String description, @Nullable String example) {
    return parameter("query", name, description, object("type", "string"), example);
  }

  /** A list of at least one column. */
  private static Map<String, @Nullable Object> names(
      String name, String description, @Nullable String example) {
    var schema = object("type", "string", "minLength", 1);
    return parameter("query", name, description, schema, example);
  }

  private static Map<String, @Nullable Object> filters(String name, String description) {
    var schema = object("type", "string", "pattern", "^\\(.+\\)$");
    return parameter("query", name, description, schema, null);
  }

  private static Map<String, @Nullable Object> number(
      String name, String description, int example) {
    var schema = object("type", "integer", "format", "int64", "minimum", 0);
    return parameter("query", name, description, schema, example);
  }

  private static Map<String, @Nullable Object> header(
      String name, String description, @Nullable String example) {
    return parameter("header", name, description, object("type", "string"), example);
  }

  private static Map<String, @Nullable Object> parameter(
      String in,
      String name,
      String description,
      Map<String, @Nullable Object> schema,
      @Nullable Object example) {
    var parameter = object("name", name, "in", in, "description", description, "schema", schema);
    if (example != null) {
      parameter.put("example", example);
    }
    return parameter;
  }
}
