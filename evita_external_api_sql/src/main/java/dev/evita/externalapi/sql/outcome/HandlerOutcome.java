// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.outcome;

import dev.evita.externalapi.core.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response that a handler's row describes. Null components were null in the row, or no column
 * of it.
 *
 * @param priority the row with the highest one wins
 * @param headers in their order; several values are several lines
 * @param body not to be changed
 * @param contentType that of the body's type unless set
 * @param location the target of a redirect
 * @param cookies as lines of {@code Set-Cookie}
 * @param abort whether to close the connection instead of responding
 * @param file the path of a static file that is the body
 * @param template the name of a template that makes the body of {@code variables}
 * @param upstream the name of an upstream that responds instead
 * @param variables the columns that are none of the above
 */
public record HandlerOutcome(
    long priority,
    @Nullable Integer status,
    List<Map.Entry<String, String>> headers,
    byte @Nullable [] body,
    @Nullable String contentType,
    @Nullable String location,
    List<String> cookies,
    boolean abort,
    @Nullable String file,
    @Nullable String template,
    @Nullable String upstream,
    Map<String, @Nullable Object> variables) {

  /** A response of which nothing is set. */
  public static final HandlerOutcome EMPTY =
      new HandlerOutcome(
          0, null, List.of(), null, null, null, List.of(), false, null, null, null, Map.of());

  /** Whether it only adds headers, so that a handler before others does not respond. */
  public boolean isHeadersOnly() {
    return status == null
        && body == null
        && location == null
        && !abort
        && file == null
        && template == null
        && upstream == null;
  }

  /** The status; of a redirect, 302 for a request that reads, else 303 (RFC 9110, section 15.4). */
  public int effectiveStatus(String method) {
    if (status != null) {
      return status;
    }
    if (location == null) {
      return 200;
    }
    return method.equals("GET") || method.equals("HEAD") ? 302 : 303;
  }

  /** The headers as a JSON object; of several lines with one name, the last. */
  public String headersAsJson() {
    var json = JsonWriter.inMemory();
    var members = new LinkedHashMap<String, String>();
    headers.forEach(line -> members.put(line.getKey().toLowerCase(Locale.ROOT), line.getValue()));
    json.tree(members);
    return new String(json.take(), StandardCharsets.UTF_8);
  }

  /** Returns the same with another body. */
  public HandlerOutcome withBody(@Nullable String newContentType, byte[] newBody) {
    return new HandlerOutcome(
        priority,
        status,
        headers,
        newBody,
        newContentType,
        location,
        cookies,
        abort,
        null,
        null,
        null,
        Map.of());
  }

  /**
   * Returns this with the other's parts where the other has them, and the headers of both; the
   * other's body replaces a file or an upstream.
   */
  public HandlerOutcome overriddenBy(HandlerOutcome other) {
    return new HandlerOutcome(
        priority,
        other.status == null ? status : other.status,
        joined(otherHeadersThan(other.headers), other.headers),
        other.body == null ? body : other.body,
        other.contentType == null ? contentType : other.contentType,
        other.location == null ? location : other.location,
        joined(cookies, other.cookies),
        abort || other.abort,
        other.file == null && other.body == null ? file : other.file,
        other.template == null ? template : other.template,
        other.upstream == null && other.body == null ? upstream : other.upstream,
        other.template == null ? variables : other.variables);
  }

  /** A header of a later handler replaces one of the same name; cookies are added. */
  private List<Map.Entry<String, String>> otherHeadersThan(
      List<Map.Entry<String, String>> replacing) {
    return headers.stream()
        .filter(line ->
            line.getKey().equalsIgnoreCase("set-cookie")
                || replacing.stream()
                    .noneMatch(other -> other.getKey().equalsIgnoreCase(line.getKey())))
        .toList();
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    if (first.isEmpty() || second.isEmpty()) {
      return first.isEmpty() ? second : first;
    }
    var all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
