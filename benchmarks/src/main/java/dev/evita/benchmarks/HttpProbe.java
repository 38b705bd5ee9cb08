// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import com.google.protobuf.MessageLite;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A request that is sent again and again.
 *
 * <p>Where it varies, each {@value #KEY} in it stands for a number from {@value #LEAST_KEY} to
 * {@value #MOST_KEY}, another for each request: else a database may answer from the result of the
 * request before, as H2 does.
 *
 * @param method GET or POST
 * @param target path and query
 * @param headers beside those of the connection and of the body's length
 * @param body each of its characters a byte; empty for a GET
 */
record HttpProbe(
    String method, String target, Map<String, String> headers, String body, boolean varies) {

  /** As text and as a protobuf varint, it has the length of every key that replaces it. */
  static final int KEY = 4711;

  static final int LEAST_KEY = 1000;
  static final int MOST_KEY = 9900;

  private static final int GRPC_PREFIX = 5;

  /** A request that is the same each time. */
  HttpProbe(String method, String target, Map<String, String> headers, String body) {
    this(method, target, headers, body, false);
  }

  /** The same with another key each time. */
  HttpProbe varying() {
    return new HttpProbe(method, target, headers, body, true);
  }

  /** A document with values for its variables. */
  static HttpProbe graphQl(String query, String variables) {
    return json("/graphql", "{\"query\":\"" + query + "\",\"variables\":" + variables + "}");
  }

  /** A document without variables. */
  static HttpProbe graphQl(String query) {
    return json("/graphql", "{\"query\":\"" + query.replace("\"", "\\\"") + "\"}");
  }

  static HttpProbe get(String target) {
    return new HttpProbe("GET", target, Map.of(), "");
  }

  static HttpProbe json(String target, String body) {
    return new HttpProbe("POST", target, Map.of("Content-Type", "application/json"), body);
  }

  /** The answer has the row that was written. */
  static HttpProbe jsonReturned(String target, String body) {
    return new HttpProbe(
        "POST",
        target,
        Map.of("Content-Type", "application/json", "Prefer", "return=representation"),
        body);
  }

  /**
   * A call with one message.
   *
   * @param method its full name
   */
  static HttpProbe grpc(String method, MessageLite message) {
    var bytes = message.toByteArray();
    var framed =
        ByteBuffer.allocate(GRPC_PREFIX + bytes.length)
            .put((byte) 0)
            .putInt(bytes.length)
            .put(bytes);
    return new HttpProbe(
        "POST",
        "/" + method,
        Map.of("content-type", "application/grpc", "te", "trailers"),
        new String(framed.array(), StandardCharsets.ISO_8859_1));
  }

  boolean isGrpc() {
    return headers.containsKey("te");
  }

  /** The arguments of {@link #grpc}. */
  byte[] message() {
    return body.substring(GRPC_PREFIX).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The request in HTTP/1.1. */
  String text() {
    var text = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    if (!body.isEmpty()) {
      text.append("Content-Length: ").append(body.length()).append("\r\n");
    }
    return text.append("\r\n").append(body).toString();
  }
}
