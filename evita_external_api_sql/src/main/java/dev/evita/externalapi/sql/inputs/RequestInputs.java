// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.inputs;

import dev.evita.api.Arguments;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.NativeQuery;
import dev.evita.api.Parameter;
import dev.evita.api.Values;
import dev.evita.externalapi.core.json.JsonValues;
import dev.evita.externalapi.sql.declaration.DeclaredInput;
import dev.evita.externalapi.sql.declaration.HandlerDeclaration;
import dev.evita.externalapi.sql.declaration.InputSource;
import dev.evita.externalapi.sql.declaration.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The columns of {@code request} that a handler uses, and their values. Immutable. */
public final class RequestInputs {

  /** The name of the relation. */
  public static final String RELATION = "request";

  private static final Pattern ALL_COLUMNS =
      Pattern.compile("(\\bselect\\s+(distinct\\s+)?|\\.|,\\s*)\\*", Pattern.CASE_INSENSITIVE);

  private static final Map<String, Scalar> OF_REQUESTS =
      Map.of(
          "id", Scalar.INT64,
          "method", Scalar.TEXT,
          "path", Scalar.TEXT,
          "query_string", Scalar.TEXT,
          "headers", Scalar.JSON,
          "body", Scalar.TEXT,
          "remote_address", Scalar.TEXT,
          "principal", Scalar.TEXT);

  private static final Map<String, Scalar> OF_RESPONSES =
      Map.of(
          "response_status", Scalar.INT32,
          "response_headers", Scalar.JSON,
          "response_body", Scalar.TEXT,
          "response_content_type", Scalar.TEXT);

  /** The response that handlers of {@link Stage#AFTER} read. */
  public interface ResponseInput {
    /** The value of one of the columns of {@code DeclarationParser.RESPONSE}; null if absent. */
    @Nullable Object response(String column);
  }

  private final List<NativeQuery.Input> columns = new ArrayList<>();
  private final List<@Nullable DeclaredInput> declared = new ArrayList<>();
  private final boolean forms;
  private final boolean members;

  public RequestInputs(HandlerDeclaration handler) {
    var text = statements(handler);
    var all = ALL_COLUMNS.matcher(text).find();
    OF_REQUESTS.keySet().stream()
        .sorted()
        .filter(name -> all || mentions(text, name))
        .forEach(name -> add(name, OF_REQUESTS.getOrDefault(name, Scalar.TEXT), null));
    if (handler.stage() == Stage.AFTER) {
      OF_RESPONSES.keySet().stream()
          .sorted()
          .filter(name -> all || mentions(text, name))
          .forEach(name -> add(name, OF_RESPONSES.getOrDefault(name, Scalar.TEXT), null));
    }
    handler.inputs().forEach(input -> add(input.name(), input.type(), input));
    if (columns.isEmpty()) {
      add("id", Scalar.INT64, null);
    }
    forms = handler.inputs().stream().anyMatch(input -> input.source() == InputSource.FORM);
    members = handler.inputs().stream().anyMatch(input -> input.source() == InputSource.JSON);
  }

  private static String statements(HandlerDeclaration handler) {
    return handler
        .text()
        .lines()
        .filter(line -> !line.strip().startsWith("--"))
        .collect(Collectors.joining("\n"));
  }

  /** Whether a text may use a column: a name after {@code as} is that of the response's column. */
  private static boolean mentions(String text, String name) {
    return Pattern.compile("(?<!\\bas\\s{1,20})\\b" + name + "\\b", Pattern.CASE_INSENSITIVE)
        .matcher(text)
        .find();
  }

  private void add(String name, Scalar type, @Nullable DeclaredInput input) {
    columns.add(new NativeQuery.Input(name, type, new Parameter(columns.size())));
    declared.add(input);
  }

  /** The columns. */
  public List<NativeQuery.Input> columns() {
    return columns;
  }

  /**
   * Returns the values of a request.
   *
   * @param route for the positions of its path groups
   * @param response null before there is one
   * @return null if a path group is not of its type, so that the handler is not for this request
   * @throws EvitaException {@code INVALID_VALUE}, {@code MALFORMED_REQUEST}, {@code
   *     UNSUPPORTED_MEDIA_TYPE}
   */
  public @Nullable Arguments bind(
      HandlerInput input, GroupValues route, @Nullable ResponseInput response) {
    var values = new @Nullable Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      var own = declared.get(i);
      if (own != null && own.source() == InputSource.PATH) {
        var value = group(own, route.group(own.name()));
        if (value == null) {
          return null;
        }
        values[i] = value;
      }
    }
    if (forms || members) {
      input.requireBody(forms, members);
    }
    for (int i = 0; i < values.length; i++) {
      var own = declared.get(i);
      if (own == null) {
        values[i] = ofRequest(columns.get(i).name(), input, response);
      } else if (own.source() != InputSource.PATH) {
        values[i] = value(own, input);
      }
    }
    return Arguments.of(values);
  }

  /** Provides the texts of a route's path groups. */
  public interface GroupValues {
    /** The text of the group. */
    String group(String name);
  }

  private static @Nullable Object ofRequest(
      String column, HandlerInput input, @Nullable ResponseInput response) {
    return switch (column) {
      case "id" -> input.id();
      case "method" -> input.request().method();
      case "path" -> input.request().path();
      case "query_string" -> input.request().query();
      case "headers" -> input.headers();
      case "body" -> input.text();
      case "remote_address" -> input.request().remoteAddress();
      case "principal" -> null; // nobody is authenticated yet
      default -> response == null ? null : response.response(column);
    };
  }

  private static @Nullable Object group(DeclaredInput input, String text) {
    if (text.isEmpty() || text.chars().anyMatch(c -> c < ' ')) {
      return null;
    }
    try {
      return Values.parse(input.type(), text);
    } catch (EvitaException e) {
      return null;
    }
  }

  private static @Nullable Object value(DeclaredInput input, HandlerInput request) {
    var given =
        switch (input.source()) {
          case QUERY -> request.query(input.name());
          case HEADER -> request.header(input.name().replace('_', '-'));
          case COOKIE -> request.cookie(input.name());
          case FORM, JSON -> ofBody(input, request);
          case PATH -> throw new IllegalStateException("a path group is bound first");
        };
    if (given == null) {
      if (input.required()) {
        throw new EvitaException(
            ErrorCode.INVALID_VALUE,
            "The " + input.source().title() + " '" + input.name() + "' is missing; add it");
      }
      return input.absent();
    }
    return converted(input, given);
  }

  /** A handler that declares both is for clients of both. */
  private static @Nullable Object ofBody(DeclaredInput input, HandlerInput request) {
    return request.isForm() ? request.form(input.name()) : request.json(input.name());
  }

  private static @Nullable Object converted(DeclaredInput input, Object given) {
    var where = "The " + input.source().title() + " '" + input.name() + "'";
    if (!(given instanceof String text) || input.source() == InputSource.JSON) {
      return JsonValues.coerce(input.type(), given, where);
    }
    try {
      return Values.parse(input.type(), text);
    } catch (EvitaException e) {
      throw new EvitaException(ErrorCode.INVALID_VALUE, where + ": " + e.publicMessage(), e);
    }
  }
}
