// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.RequestBody;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Reads requests (GraphQL over HTTP, section 5). Thread-safe. */
final class RequestReader {

  private static final int MAX_NESTING = 500;
  private static final List<String> MEMBERS =
      List.of("query", "variables", "operationName", "extensions");

  private final JsonFactory json =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
          .build();

  /**
   * The request in the body of a {@code POST}.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}, {@code TOO_DEEP}
   */
  GraphQlRequest post(RequestBody body) {
    if (body.length() == 0) {
      throw malformed("The body is empty; expected JSON such as {\"query\": \"{ __typename }\"}");
    }
    try (var parser =
        json.createParser(ObjectReadContext.empty(), body.bytes(), 0, body.length())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw malformed("The body is not a JSON object; expected {\"query\": ...}");
      }
      var request = members(parser);
      if (parser.nextToken() != null) {
        throw malformed("Something follows the JSON object in the body");
      }
      return request;
    } catch (StreamConstraintsException e) {
      throw tooDeep(e);
    } catch (StreamReadException e) {
      throw malformed("The body is not JSON: " + at(e));
    }
  }

  private static GraphQlRequest members(JsonParser parser) {
    String query = null;
    Map<String, @Nullable Object> variables = Map.of();
    String operationName = null;
    var seen = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      var member = MEMBERS.indexOf(name);
      if (member >= 0 && (seen & 1 << member) != 0) {
        throw malformed("'" + name + "' stands twice in the body");
      }
      seen |= member < 0 ? 0 : 1 << member;
      switch (member) {
        case 0 -> query = text(parser, "query");
        case 1 -> variables = object(parser, "variables");
        case 2 -> operationName = text(parser, "operationName");
        case 3 -> object(parser, "extensions");
        default -> parser.skipChildren();
      }
    }
    return request(query, variables, operationName);
  }

  private static GraphQlRequest request(
      @Nullable String query,
      Map<String, @Nullable Object> variables,
      @Nullable String operationName) {
    if (query == null) {
      throw malformed("There is no query; expected a GraphQL document in 'query'");
    }
    var name = operationName == null || operationName.isEmpty() ? null : operationName;
    return new GraphQlRequest(query, variables, name);
  }

  private static @Nullable String text(JsonParser parser, String member) {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> parser.getString();
      case VALUE_NULL -> null;
      default -> throw malformed("'" + member + "' is not a string");
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser, String member) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> map(parser);
      case VALUE_NULL -> Map.of();
      default -> throw malformed("'" + member + "' is not an object");
    };
  }

  private static Map<String, @Nullable Object> map(JsonParser parser) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      if (map.containsKey(name)) {
        throw malformed("'" + name + "' stands twice in one object");
      }
      map.put(name, value(parser));
    }
    return map;
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> map(parser);
      case START_ARRAY -> list(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      default -> null;
    };
  }

  private static Object integer(JsonParser parser) {
    return switch (parser.getNumberType()) {
      case INT, LONG -> (Object) parser.getLongValue();
      default -> new BigDecimal(parser.getBigIntegerValue());
    };
  }

  private static List<@Nullable Object> list(JsonParser parser) {
    var list = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return list;
  }

  /**
   * The request in the parameters of a {@code GET}.
   *
   * @throws RequestError {@code MALFORMED_REQUEST}, {@code TOO_DEEP}
   */
  GraphQlRequest get(Exchange exchange) {
    var variables = json(exchange.queryParameter("variables"), "variables");
    json(exchange.queryParameter("extensions"), "extensions");
    return request(
        exchange.queryParameter("query"), variables, exchange.queryParameter("operationName"));
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
    return RequestError.of(ErrorCode.MALFORMED_REQUEST, message);
  }

  private static RequestError tooDeep(StreamConstraintsException e) {
    return RequestError.of(
        ErrorCode.TOO_DEEP,
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
