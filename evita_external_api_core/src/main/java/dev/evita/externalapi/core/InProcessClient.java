// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.http.InProcessStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A client without a socket: requests pass through the same router, dispatcher, engine and encoder.
 * For tests, and for embedders that need the API's response inside their process.
 *
 * <p>Thread-safe. Bounded plans run on the calling thread. HTTP's own rules (framing, connection
 * timeouts, TLS) do not apply.
 */
public final class InProcessClient {

  /**
   * A request.
   *
   * @param target path and query, encoded as in a URL
   */
  public record Request(String method, String target, Map<String, String> headers, byte[] body) {

    public Request {
      headers = Map.copyOf(headers);
    }

    public static Request get(String target) {
      return new Request("GET", target, Map.of(), new byte[0]);
    }

    /** A POST request with a text body. */
    public static Request post(String target, String contentType, String body) {
      return new Request(
          "POST",
          target,
          Map.of("Content-Type", contentType),
          body.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * A response.
   *
   * @param headers header names in unspecified case
   */
  public record Response(int status, Map<String, String> headers, byte[] body) {

    /** The body as UTF-8. */
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private final ExternalApiServer server;

  InProcessClient(ExternalApiServer server) {
    this.server = server;
  }

  /**
   * Sends the request and waits for its response.
   *
   * @throws EvitaException {@code CLIENT_GONE} if the response was aborted
   */
  public Response send(Request request) {
    try {
      return sendAsync(request).join();
    } catch (CompletionException e) {
      throw new EvitaException(
          ErrorCode.CLIENT_GONE, "The response was aborted before it was complete", e.getCause());
    }
  }

  /** Sends the request; the returned future may already be complete. */
  public CompletableFuture<Response> sendAsync(Request request) {
    var stream =
        new InProcessStream(
            request.method().toUpperCase(Locale.ROOT),
            request.target(),
            request.headers(),
            request.body(),
            server.dispatcher().now());
    server.mainPort().handle(stream, null);
    return stream.response().thenApply(InProcessClient::response);
  }

  private static Response response(InProcessStream.Response from) {
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (var values : from.fields()) {
      headers.put(values.getHeaderName().toString(), String.join(", ", values));
    }
    return new Response(from.status(), Map.copyOf(headers), from.body());
  }
}
