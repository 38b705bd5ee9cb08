// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.batch;

import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.request.QueryText;
import dev.evita.externalapi.rest.request.ReadQuery;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * References of the requests of a batch to the rows that earlier requests returned: {@code {"$ref":
 * "a.id"}} as a value in a body, <code>${a.id}</code> in a URL. {@code a} is a request's id, {@code
 * id} a member of its first row; {@code a[1].id} is that of its second.
 *
 * <p>Used by one thread at a time.
 */
final class BatchReferences {

  private static final String MEMBER = "$ref";

  /** Query parameters whose values are names. */
  private static final Set<String> NO_VALUES =
      Set.of("select", "order", "columns", "on_conflict", ReadQuery.AFTER);

  private static final Pattern IN_URL = Pattern.compile("\\$\\{([^}]*)}");
  private static final Pattern FORM =
      Pattern.compile("([^.\\[\\]]+)(?:\\[([0-9]{1,9})])?((?:\\.[^.\\[\\]]+)+)");

  private final Set<String> referenced = new HashSet<>();
  private final Map<String, @Nullable Object> results = new HashMap<>();

  /**
   * Determines which requests are referenced by others.
   *
   * @throws RestFailure PGRST102 for a malformed reference, or one that does not refer to an
   *     earlier request
   */
  BatchReferences(List<BatchRequest> requests) {
    var known = new HashSet<String>();
    for (var request : requests) {
      var matcher = IN_URL.matcher(request.target());
      while (matcher.find()) {
        addReferenced(matcher.group(1), known);
      }
      find(request.body(), known);
      known.add(request.id());
    }
  }

  private void find(@Nullable Object body, Set<String> known) {
    switch (body) {
      case Map<?, ?> map when isReference(map) ->
          addReferenced(String.valueOf(map.get(MEMBER)), known);
      case Map<?, ?> map -> map.values().forEach(value -> find(value, known));
      case List<?> list -> list.forEach(value -> find(value, known));
      case null, default -> {
        // a plain value
      }
    }
  }

  private static boolean isReference(Map<?, ?> map) {
    return map.size() == 1 && map.containsKey(MEMBER);
  }

  private void addReferenced(String reference, Set<String> known) {
    var id = parse(reference).group(1);
    if (!known.contains(id)) {
      throw BatchRequest.malformed(
          "'" + RestFailure.shortened(reference) + "' refers to no earlier request of the batch");
    }
    referenced.add(id);
  }

  private static Matcher parse(String reference) {
    var matcher = FORM.matcher(reference);
    if (!matcher.matches()) {
      throw BatchRequest.malformed(
          "'" + RestFailure.shortened(reference) + "' is no reference; expected for example a.id");
    }
    return matcher;
  }

  /** Whether another request refers to this one. */
  boolean isReferenced(String id) {
    return referenced.contains(id);
  }

  /** Stores the rows that a request returned, as parsed JSON. */
  void put(String id, @Nullable Object rows) {
    results.put(id, rows);
  }

  /** Returns the request with its references replaced by values. */
  BatchRequest resolve(BatchRequest request) {
    var target =
        IN_URL
            .matcher(request.target())
            .replaceAll(match ->
                Matcher.quoteReplacement(
                    inUrl(match.group(1), request.target().substring(0, match.start()))));
    return request.with(target, resolve(request.body()));
  }

  /**
   * Encodes the value as a part of a URL so that it remains a single value whatever it contains:
   * within parentheses and braces, where a comma would end it, it is quoted.
   *
   * @param before the URL up to the reference
   */
  private String inUrl(String reference, String before) {
    var start = Math.max(before.lastIndexOf('&'), before.indexOf('?'));
    var equals = before.indexOf('=', Math.max(0, start));
    var name = equals < 0 ? "" : QueryText.path(before.substring(start + 1, equals));
    var word = name.substring(name.lastIndexOf('.') + 1);
    if (start < 0 || equals < 0 || NO_VALUES.contains(word)) {
      throw BatchRequest.malformed(
          "'" + RestFailure.shortened(reference) + "' is not within the value of a filter");
    }
    var text = plain(reference);
    var depth = 0;
    for (var c : QueryText.path(before.substring(equals + 1)).toCharArray()) {
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    }
    var one = depth == 0 ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    return URLEncoder.encode(one, StandardCharsets.UTF_8);
  }

  private String plain(String reference) {
    var value = value(reference);
    if (value == null || value instanceof Map || value instanceof List) {
      throw BatchRequest.malformed(
          "'"
              + reference
              + "' is "
              + (value == null ? "null" : "no plain value")
              + ", which no URL can hold");
    }
    return value.toString();
  }

  private @Nullable Object resolve(@Nullable Object body) {
    return switch (body) {
      case Map<?, ?> map when isReference(map) -> value(String.valueOf(map.get(MEMBER)));
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, value) -> copy.put(String.valueOf(name), resolve(value)));
        yield copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>(list.size());
        list.forEach(value -> copy.add(resolve(value)));
        yield copy;
      }
      case null, default -> body;
    };
  }

  private @Nullable Object value(String reference) {
    var form = parse(reference);
    var rows = results.get(form.group(1));
    var index = form.group(2) == null ? 0 : Integer.parseInt(form.group(2));
    var value =
        rows instanceof List<?> list ? (index < list.size() ? list.get(index) : null) : rows;
    for (var name : form.group(3).substring(1).split("\\.", -1)) {
      if (!(value instanceof Map<?, ?> map) || !map.containsKey(name)) {
        throw BatchRequest.malformed(
            "There is no '"
                + RestFailure.shortened(reference)
                + "' in the response of that request");
      }
      value = map.get(name);
    }
    return value;
  }
}
