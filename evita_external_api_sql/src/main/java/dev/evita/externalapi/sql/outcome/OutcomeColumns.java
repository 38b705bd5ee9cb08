// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.outcome;

import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.Values;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The columns of a handler's rows. Immutable. */
public final class OutcomeColumns {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int ABSENT = -1;

  private final String handler;
  private final RowShape shape;
  private final Map<String, Integer> slots = new LinkedHashMap<>();
  private final Map<String, Integer> variables = new LinkedHashMap<>();
  private final int status;
  private final int headers;
  private final int body;
  private final int contentType;
  private final int priority;
  private final int location;
  private final int cookies;
  private final int abort;
  private final int file;
  private final int template;
  private final int upstream;

  /**
   * Finds the columns.
   *
   * @param handler its name, for messages
   * @throws IllegalArgumentException for a column that is unknown or occurs twice, or if there is
   *     none
   */
  public OutcomeColumns(String handler, RowShape shape) {
    this.handler = handler;
    this.shape = shape;
    if (shape.slots().isEmpty()) {
      throw new IllegalArgumentException(
          "the last statement returns no row; end with a query, as in select 204 as status");
    }
    for (int i = 0; i < shape.slots().size(); i++) {
      var name = shape.slots().get(i).name().toLowerCase(Locale.ROOT);
      if (slots.put(name, i) != null) {
        throw new IllegalArgumentException(
            "the column '" + name + "' occurs twice; remove one of them");
      }
    }
    variables.putAll(slots);
    status = take("status");
    headers = take("headers");
    body = take("body");
    contentType = take("content_type");
    priority = take("priority");
    location = take("location");
    cookies = take("cookies");
    abort = take("abort");
    file = take("file");
    template = take("template");
    upstream = take("upstream");
    take("id");
    if (template == ABSENT && !variables.isEmpty()) {
      throw new IllegalArgumentException(
          "the column '"
              + variables.keySet().iterator().next()
              + "' has no meaning; expected status, headers, body, content_type, priority, location,"
              + " cookies, abort, file, upstream, or a template that shows it");
    }
  }

  private int take(String name) {
    var slot = variables.remove(name);
    return slot == null ? ABSENT : slot;
  }

  /** Whether the first row is the only one that counts. */
  public boolean firstRowWins() {
    return priority == ABSENT;
  }

  /** Whether sending the response may block. */
  public boolean mayBlock() {
    return file != ABSENT || upstream != ABSENT;
  }

  /** The priority of a row; 0 if it is null. */
  public long priority(Row row) {
    var value = priority == ABSENT ? null : integer(row, priority, "priority");
    return value == null ? 0 : value;
  }

  /**
   * Reads a row.
   *
   * @throws EvitaException {@code INVALID_HANDLER_RESPONSE}
   */
  public HandlerOutcome read(Row row) {
    var code = status == ABSENT ? null : integer(row, status, "status");
    if (code != null && (code < 200 || code > 599)) {
      throw invalid("status " + code, "a status from 200 to 599");
    }
    var content = bytes(row);
    return new HandlerOutcome(
        priority(row),
        code == null ? null : code.intValue(),
        headers(row),
        content,
        contentType(row, content),
        location(row),
        cookies(row),
        abort != ABSENT && flag(row),
        text(row, file),
        text(row, template),
        text(row, upstream),
        variables(row));
  }

  private EvitaException invalid(String value, String expected) {
    return new EvitaException(
        SqlErrorCode.INVALID_HANDLER_RESPONSE,
        "Handler " + handler + " returned the " + value + "; expected " + expected);
  }

  private @Nullable Long integer(Row row, int slot, String name) {
    return switch (row.objectAt(slot)) {
      case null -> null;
      case Long number -> number;
      case Object other -> {
        try {
          yield Long.valueOf(Values.format(other));
        } catch (NumberFormatException e) {
          throw invalid(name + " '" + Values.format(other) + "'", "an integer");
        }
      }
    };
  }

  private boolean flag(Row row) {
    return switch (row.objectAt(abort)) {
      case null -> false;
      case Boolean value -> value;
      case Object other -> !Values.format(other).equals("0");
    };
  }

  private static @Nullable String text(Row row, int slot) {
    return slot == ABSENT || row.isNull(slot) ? null : row.textAt(slot);
  }

  private byte @Nullable [] bytes(Row row) {
    if (body == ABSENT || row.isNull(body)) {
      return null;
    }
    return switch (row.objectAt(body)) {
      case byte[] own -> own;
      case List<?> list -> {
        var json = JsonWriter.inMemory();
        json.value(((RowShape.ValueSlot) shape.slots().get(body)).type(), list);
        yield json.take();
      }
      case null, default -> String.valueOf(row.textAt(body)).getBytes(StandardCharsets.UTF_8);
    };
  }

  private @Nullable String contentType(Row row, byte @Nullable [] content) {
    var own = text(row, contentType);
    if (own != null && !HeaderRules.isValue(own)) {
      throw invalid("content_type " + shortened(own), "a media type without line breaks");
    }
    if (own != null || content == null) {
      return own;
    }
    var type = ((RowShape.ValueSlot) shape.slots().get(body)).type();
    if (type == Scalar.JSON || type instanceof DataType.Array) {
      return "application/json";
    }
    return type == Scalar.BINARY || row.objectAt(body) instanceof byte[]
        ? "application/octet-stream"
        : TEXT;
  }

  /** A URL has ASCII characters only (RFC 3986, section 2); others are encoded as UTF-8. */
  private @Nullable String location(Row row) {
    var text = text(row, location);
    if (text == null) {
      return null;
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw invalid("location " + shortened(text), "a URL without line breaks");
    }
    return text.chars().allMatch(OutcomeColumns::isOfUrls) ? text : encoded(text);
  }

  private static boolean isOfUrls(int c) {
    return c > ' ' && c < 0x7f;
  }

  private static String encoded(String text) {
    var url = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (isOfUrls(each)) {
        url.append((char) each);
      } else {
        url.append('%').append(HEX.toHexDigits(each));
      }
    }
    return url.toString();
  }

  private List<Map.Entry<String, String>> headers(Row row) {
    var text = text(row, headers);
    if (text == null) {
      return List.of();
    }
    if (!(json(text, "headers") instanceof Map<?, ?> members)) {
      throw invalid(
          "headers " + shortened(text), "a JSON object, as in {\"cache-control\": \"no-store\"}");
    }
    var lines = new ArrayList<Map.Entry<String, String>>();
    members.forEach((name, value) -> {
      var values = value instanceof List<?> several ? several : Arrays.asList(value);
      if (values.stream().anyMatch(each -> each instanceof Map<?, ?> || each instanceof List<?>)) {
        throw invalid(
            "header " + shortened(name + ": " + value),
            "a text, or a list of texts for several lines");
      }
      values.stream()
          .filter(Objects::nonNull)
          .forEach(each -> lines.add(header(String.valueOf(name), String.valueOf(each))));
    });
    return lines;
  }

  private Map.Entry<String, String> header(String name, String value) {
    if (!HeaderRules.isName(name) || !HeaderRules.isValue(value)) {
      throw invalid(
          "header " + shortened(name + ": " + value),
          "a name of RFC 9110, section 5.1, and a value without line breaks");
    }
    if (!HeaderRules.maySet(name)) {
      throw invalid(
          "header " + name,
          "none that the server sets itself; remove it, or return it as content_type");
    }
    return Map.entry(name, value);
  }

  private @Nullable Object json(String text, String name) {
    try {
      return JsonTree.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (JacksonException e) {
      throw invalid(name + " " + shortened(text), "JSON");
    }
  }

  private static String shortened(String text) {
    var line = HeaderRules.printable(text);
    return line.length() > 100 ? line.substring(0, 100) + "..." : line;
  }

  private List<String> cookies(Row row) {
    var text = text(row, cookies);
    if (text == null) {
      return List.of();
    }
    var value = json(text, "cookies");
    var list =
        value instanceof List<?> several ? several : List.of(value == null ? Map.of() : value);
    var lines = new ArrayList<String>();
    for (var each : list) {
      var cookie = each instanceof Map<?, ?> members ? CookieLine.of(members) : null;
      if (cookie == null) {
        throw invalid(
            "cookies " + shortened(text),
            "objects such as {\"name\": \"session\", \"value\": \"a1\", \"max_age\": 3600}");
      }
      lines.add(cookie);
    }
    return lines;
  }

  private Map<String, @Nullable Object> variables(Row row) {
    if (variables.isEmpty()) {
      return Map.of();
    }
    var values = new LinkedHashMap<String, @Nullable Object>();
    variables.forEach((name, slot) -> values.put(name, variable(row, slot)));
    return values;
  }

  /** JSON becomes lists and maps, so that a template can show its members. */
  private @Nullable Object variable(Row row, int slot) {
    if (row.isNull(slot)) {
      return null;
    }
    var type = ((RowShape.ValueSlot) shape.slots().get(slot)).type();
    var value = row.objectAt(slot);
    if (type == Scalar.JSON) {
      return json(String.valueOf(value), shape.slots().get(slot).name());
    }
    return value instanceof Boolean || value instanceof List<?> || value == null
        ? value
        : Values.format(value);
  }
}
