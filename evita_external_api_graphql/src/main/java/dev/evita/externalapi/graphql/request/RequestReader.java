// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.exchange.RequestBody;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Reads requests (GraphQL over HTTP, section 5). Thread-safe. */
public final class RequestReader {

  private static final int MAX_NESTING = 500;
  private static final List<String> MEMBERS =
      List.of("query", "variables", "operationName", "extensions", "documentId");

  private final JsonFactory json =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
          .build();

  /** Whether the body is an array of requests. */
  public static boolean isBatch(RequestBody body) {
    for (int i = 0; i < body.length(); i++) {
      if (body.bytes()[i] > ' ') {
        return body.bytes()[i] == '[';
      }
    }
    return false;
  }

  /**
   * Returns the request in the body of a {@code POST}.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}, {@code TOO_DEEP}
   */
  public GraphQlRequest post(RequestBody body) {
    if (body.length() == 0) {
      throw malformed("The body is empty; expected JSON such as {\"query\": \"{ __typename }\"}");
    }
    return read(body, RequestReader::request);
  }

  /**
   * Returns the requests in the body of a {@code POST}, in their order.
   *
   * @param most the maximum number of requests
   * @throws RequestError {@code MALFORMED_REQUEST}, {@code TOO_DEEP}, {@code BATCH_TOO_LARGE}
   */
  public List<GraphQlRequest> batch(RequestBody body, int most) {
    return read(
        body,
        parser -> {
          var requests = new ArrayList<GraphQlRequest>();
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (requests.size() == most) {
              throw tooMany(most);
            }
            requests.add(request(parser));
          }
          if (requests.isEmpty()) {
            throw malformed("The body is an empty array; expected at least one request");
          }
          return requests;
        });
  }

  private static RequestError tooMany(int most) {
    return RequestError.of(
        HttpErrorCode.BATCH_TOO_LARGE,
        most == 0
            ? "The body is an array; this server takes one request at a time (max-batch is 0)"
            : "The body has more than " + most + " requests, the limit of max-batch");
  }

  private <T> T read(RequestBody body, Function<JsonParser, T> content) {
    try (var parser =
        json.createParser(ObjectReadContext.empty(), body.bytes(), 0, body.length())) {
      parser.nextToken();
      var read = content.apply(parser);
      if (parser.nextToken() != null) {
        throw malformed("Something follows the JSON in the body");
      }
      return read;
    } catch (StreamConstraintsException e) {
      throw tooDeep(e);
    } catch (StreamReadException e) {
      throw malformed("The body is not JSON: " + at(e));
    }
  }

  private static GraphQlRequest request(JsonParser parser) {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw malformed("A request is not a JSON object; expected {\"query\": ...}");
    }
    String query = null;
    String documentId = null;
    String operationName = null;
    Map<String, @Nullable Object> variables = Map.of();
    Map<String, @Nullable Object> extensions = Map.of();
    var seen = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      var member = MEMBERS.indexOf(name);
      if (member >= 0 && (seen & 1 << member) != 0) {
        throw malformed("'" + name + "' occurs twice in a request");
      }
      seen |= member < 0 ? 0 : 1 << member;
      switch (member) {
        case 0 -> query = text(parser, "query");
        case 1 -> variables = object(parser, "variables");
        case 2 -> operationName = text(parser, "operationName");
        case 3 -> extensions = object(parser, "extensions");
        case 4 -> documentId = text(parser, "documentId");
        default -> parser.skipChildren();
      }
    }
    return new GraphQlRequest(query, documentId, variables, named(operationName), extensions);
  }

  private static @Nullable String named(@Nullable String operationName) {
    return operationName == null || operationName.isEmpty() ? null : operationName;
  }

  private static @Nullable String text(JsonParser parser, String member) {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> parser.getString();
      case VALUE_NULL -> null;
      case null, default -> throw malformed("'" + member + "' is not a string");
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser, String member) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> JsonTree.map(parser);
      case VALUE_NULL -> Map.of();
      case null, default -> throw malformed("'" + member + "' is not an object");
    };
  }

  /**
   * Returns the request in the parameters of a {@code GET}.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}, {@code TOO_DEEP}
   */
  public GraphQlRequest get(Exchange exchange) {
    return new GraphQlRequest(
        exchange.request().queryParameter("query"),
        exchange.request().queryParameter("documentId"),
        json(exchange.request().queryParameter("variables"), "variables"),
        named(exchange.request().queryParameter("operationName")),
        json(exchange.request().queryParameter("extensions"), "extensions"));
  }

  private Map<String, @Nullable Object> json(@Nullable String text, String parameter) {
    if (text == null || text.isEmpty()) {
      return Map.of();
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    try (var parser = json.createParser(ObjectReadContext.empty(), bytes)) {
      parser.nextToken();
      var object = object(parser, parameter);
      if (parser.nextToken() != null) {
        throw malformed("Something follows the JSON object in '" + parameter + "'");
      }
      return object;
    } catch (StreamConstraintsException e) {
      throw tooDeep(e);
    } catch (StreamReadException e) {
      throw malformed("'" + parameter + "' is not JSON: " + at(e));
    }
  }

  private static RequestError malformed(String message) {
    return RequestError.of(HttpErrorCode.MALFORMED_REQUEST, message);
  }

  private static RequestError tooDeep(StreamConstraintsException e) {
    return RequestError.of(
        HttpErrorCode.TOO_DEEP,
        "The JSON is beyond what is read: at most "
            + MAX_NESTING
            + " levels, numbers of 1000 digits and names of 50000 characters"
            + (e.getLocation() == null ? "" : "; see " + at(e)));
  }

  private static String at(tools.jackson.core.JacksonException e) {
    var location = e.getLocation();
    return location == null
        ? "at an unknown place"
        : "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
