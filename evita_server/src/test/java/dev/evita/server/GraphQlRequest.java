// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A GraphQL query by POST. */
final class GraphQlRequest {

  private static final JsonMapper JSON = JsonMapper.shared();

  private GraphQlRequest() {}

  static HttpRequest of(URI endpoint, String document) {
    var body = JSON.writeValueAsString(Map.of("query", document));
    return HttpRequest.newBuilder(endpoint)
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }
}
