// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

/**
 * A request that is sent again and again.
 *
 * @param method GET or POST
 * @param target path and query
 * @param body of JSON; empty for a GET
 */
record Ask(String method, String target, String body) {

  /** A document without variables. */
  static Ask graphQl(String query) {
    return new Ask("POST", "/graphql", "{\"query\":\"" + query.replace("\"", "\\\"") + "\"}");
  }

  static Ask get(String target) {
    return new Ask("GET", target, "");
  }

  /** As HTTP/1.1 has it. */
  String text() {
    var head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n";
    return body.isEmpty()
        ? head + "\r\n"
        : head
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
  }
}
