// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.batch;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.request.ExchangeRequest;
import dev.evita.externalapi.rest.request.QueryText;
import dev.evita.externalapi.rest.request.RequestRows;
import dev.evita.externalapi.rest.request.RestRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One request of a batch: {@code {"id": "a", "method": "POST", "url": "brands?select=id",
 * "headers": {...}, "body": ...}}.
 *
 * @param id by which later ones refer to it; its place in the list where it has none
 * @param target path and query, as it was sent
 * @param headers by their names in any case
 */
public record BatchRequest(
    String id,
    String method,
    String target,
    Map<String, String> headers,
    @Nullable Object body,
    String apiPath)
    implements RestRequest {

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private static final Set<String> MEMBERS = Set.of("id", "method", "url", "headers", "body");

  /**
   * Reads the body of a batch.
   *
   * @param most how many requests there may be
   * @throws RestFailure PGRST102; BATCH_TOO_LARGE
   */
  public static List<BatchRequest> readAll(ExchangeRequest batch, String apiPath, int most) {
    if (!batch.method().equals("POST")) {
      throw RestFailure.notAllowed("PGRST117", "A batch comes by POST", null, "POST, OPTIONS");
    }
    if (!(batch.tree() instanceof Map<?, ?> map)
        || map.size() != 1
        || !(map.get("requests") instanceof List<?> list)) {
      throw malformed("A batch is {\"requests\": [...]}");
    }
    if (list.size() > most) {
      throw new RestFailure(
          400,
          ErrorCode.BATCH_TOO_LARGE,
          "BATCH_TOO_LARGE",
          "The batch has " + list.size() + " requests; at most " + most + " are allowed",
          null,
          "Send several batches, or raise rest-max-batch");
    }
    var requests = new ArrayList<BatchRequest>();
    var ids = new HashSet<String>();
    for (var each : list) {
      var request = read(each, requests.size(), apiPath);
      if (!ids.add(request.id)) {
        throw malformed("Two requests of the batch have the id '" + request.id + "'");
      }
      requests.add(request);
    }
    return requests;
  }

  private static BatchRequest read(@Nullable Object request, int index, String apiPath) {
    var where = "Request " + index + " of the batch";
    if (!(request instanceof Map<?, ?> map)) {
      throw malformed(where + " is no object");
    }
    for (var name : map.keySet()) {
      if (!MEMBERS.contains(String.valueOf(name))) {
        throw malformed(
            where
                + " has the member '"
                + RestFailure.shortened(String.valueOf(name))
                + "'; expected id, method, url, headers and body");
      }
    }
    var id = map.get("id") == null ? Integer.toString(index) : String.valueOf(map.get("id"));
    if (!(map.get("method") instanceof String method) || !METHODS.contains(method)) {
      throw malformed(where + " has no method; expected one of GET, POST, PUT, PATCH, DELETE");
    }
    if (!(map.get("url") instanceof String url)) {
      throw malformed(where + " has no url; expected for example brands?id=eq.1");
    }
    return new BatchRequest(
        id, method, url, headers(where, map.get("headers")), map.get("body"), apiPath);
  }

  private static Map<String, String> headers(String where, @Nullable Object given) {
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    if (given == null) {
      return headers;
    }
    if (!(given instanceof Map<?, ?> map)) {
      throw malformed(where + " has headers that are no object");
    }
    map.forEach((name, value) -> {
      if (!(value instanceof String text)) {
        throw malformed(where + " has the header '" + name + "', whose value is no text");
      }
      headers.put(String.valueOf(name), text);
    });
    return headers;
  }

  public static RestFailure malformed(String message) {
    return new RestFailure(400, ErrorCode.MALFORMED_REQUEST, "PGRST102", message, null, null);
  }

  /** The same with another URL and body. */
  BatchRequest with(String resolvedTarget, @Nullable Object resolvedBody) {
    return new BatchRequest(id, method, resolvedTarget, headers, resolvedBody, apiPath);
  }

  /** Below the path of the API, which may be left out. */
  @Override
  public String path() {
    var end = target.indexOf('?');
    var path = QueryText.path(end < 0 ? target : target.substring(0, end));
    if (path.startsWith(apiPath + "/")) {
      return path;
    }
    return apiPath + (path.startsWith("/") ? path : "/" + path);
  }

  @Override
  public String query() {
    var end = target.indexOf('?');
    return end < 0 ? "" : target.substring(end + 1);
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  @Override
  public @Nullable Object tree() {
    return body;
  }

  @Override
  public RequestRows rows(@Nullable Set<String> only) {
    return RequestRows.of(header("Content-Type"), body, only);
  }
}
