// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.work.FaultLog;
import graphql.language.SourceLocation;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entry of {@code errors}: the only place that maps an {@link ErrorCode} to GraphQL.
 *
 * @param details the details of the case; null if the message is complete
 * @param hint the remedy; null if the message is complete
 * @param path field names and list indexes; empty if no field is the cause
 */
public record GraphQlError(
    EvitaException.Code code,
    String message,
    @Nullable String details,
    @Nullable String hint,
    List<SourceLocation> locations,
    List<Object> path) {

  private static final int MAX_ECHOED = 100;
  private static final int MAX_MESSAGE = 1_000;

  /**
   * A word, or a text in quotes, that exceeds the length up to which a document's text is echoed.
   */
  private static final Pattern LONG =
      Pattern.compile("(\\S{" + MAX_ECHOED + "})\\S+|('[^']{" + MAX_ECHOED + "})[^']+(?=')");

  public GraphQlError {
    message = shortened(message);
    locations = List.copyOf(locations);
    path = List.copyOf(path);
  }

  public GraphQlError(
      EvitaException.Code code, String message, List<SourceLocation> locations, List<Object> path) {
    this(code, message, null, null, locations, path);
  }

  /** Messages repeat parts of the document, which may be as long as the whole of it. */
  private static String shortened(String message) {
    if (message.length() <= MAX_ECHOED) {
      return message;
    }
    var words =
        LONG.matcher(message)
            .replaceAll(found ->
                Matcher.quoteReplacement(found.group(1) == null ? found.group(2) : found.group(1))
                    + "...");
    return words.length() <= MAX_MESSAGE ? words : words.substring(0, MAX_MESSAGE) + "...";
  }

  /** Returns the error of a failure whose message may leave the process. */
  public static GraphQlError of(
      EvitaException problem, List<SourceLocation> locations, List<Object> path) {
    return new GraphQlError(
        problem.code(),
        problem.publicMessage(),
        problem.details(),
        problem.hint(),
        locations,
        path);
  }

  /** Returns the errors of a request that failed before any field was executed. */
  public static List<GraphQlError> all(Throwable failure, FaultLog faults) {
    return failure instanceof RequestError request
        ? request.errors()
        : List.of(of(faults.report(failure), List.of(), List.of()));
  }

  /** Writes a response of errors alone. */
  public static void writeResponse(JsonWriter json, List<GraphQlError> errors) {
    json.raw('{');
    write(json, errors);
    json.raw('}');
  }

  /** Writes {@code "errors":[...]}. */
  public static void write(JsonWriter json, List<GraphQlError> errors) {
    json.raw("\"errors\":");
    list(json, errors);
  }

  /** Writes {@code [...]}. */
  static void list(JsonWriter json, List<GraphQlError> errors) {
    json.raw('[');
    for (int i = 0; i < errors.size(); i++) {
      if (i > 0) {
        json.raw(',');
      }
      errors.get(i).write(json);
    }
    json.raw(']');
  }

  private void write(JsonWriter json) {
    json.raw("{\"message\":");
    json.string(message);
    if (!locations.isEmpty()) {
      json.raw(",\"locations\":[");
      for (int i = 0; i < locations.size(); i++) {
        json.raw(i > 0 ? ",{\"line\":" : "{\"line\":").number(locations.get(i).getLine());
        json.raw(",\"column\":").number(locations.get(i).getColumn());
        json.raw('}');
      }
      json.raw(']');
    }
    if (!path.isEmpty()) {
      json.raw(",\"path\":");
      json.tree(path);
    }
    json.raw(",\"extensions\":{\"code\":\"" + code.name() + "\",\"category\":\"");
    json.raw(code.category().name() + "\"");
    member(json, ",\"details\":", details);
    member(json, ",\"hint\":", hint);
    json.raw("}}");
  }

  private static void member(JsonWriter json, String name, @Nullable String text) {
    if (text != null) {
      json.raw(name);
      json.string(text);
    }
  }
}
