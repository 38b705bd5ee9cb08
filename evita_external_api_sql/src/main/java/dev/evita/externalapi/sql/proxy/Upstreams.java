// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.proxy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.work.Work;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.outcome.HeaderRules;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers to which handlers pass requests on. Thread-safe; lives as long as the server.
 *
 * <p>The JDK's client makes the connections: it needs no library and keeps them alive.
 */
public final class Upstreams implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** What belongs to the client's connection, or is written anew. */
  private static final Set<String> NOT_PASSED_ON =
      Set.of(
          "host",
          "content-length",
          "expect",
          "http2-settings",
          "x-forwarded-for",
          "x-forwarded-host");

  private final Map<String, String> urls;

  // Guarded by this.
  private @Nullable HttpClient client;
  private boolean closed;

  /**
   * @param urls by name
   */
  public Upstreams(Map<String, String> urls) {
    this.urls =
        urls.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, url -> withoutSlashes(url.getValue())));
  }

  private static String withoutSlashes(String url) {
    var end = url.length();
    while (end > 0 && url.charAt(end - 1) == '/') {
      end--;
    }
    return url.substring(0, end);
  }

  /** The client, which has threads of its own; created for the first request of an upstream. */
  private synchronized HttpClient client() {
    if (closed) {
      throw Work.failure(ErrorCode.SHUTTING_DOWN);
    }
    var open = client;
    if (open == null) {
      open =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NEVER)
              .version(HttpClient.Version.HTTP_1_1)
              .build();
      client = open;
    }
    return open;
  }

  /**
   * Passes a request on, and the response back. Returns at once.
   *
   * @param target the name of an upstream, and a path and query if they differ from those of the
   *     request: {@code search/_count?q=a}
   * @throws EvitaException {@code INVALID_HANDLER_RESPONSE} for an unknown name, or a faulty path
   */
  public void pass(Exchange exchange, HandlerInput input, String handler, String target) {
    var slash = target.indexOf('/');
    var name = slash < 0 ? target : target.substring(0, slash);
    var url = urls.get(name);
    if (url == null) {
      throw invalid(handler, "names the upstream '" + name + "'; expected one of " + urls.keySet());
    }
    var path = slash < 0 ? original(exchange) : target.substring(slash);
    HttpRequest request;
    try {
      var uri = URI.create(url + path);
      requireBelow(uri);
      request = request(input, uri);
    } catch (IllegalArgumentException e) {
      throw invalid(
          handler, "passes the request to the path '" + path + "', which is no valid URL");
    }
    new ProxiedResponse(exchange, name).start(client(), request);
  }

  /** Servers resolve dots, so that a client could reach what the handler and the URL exclude. */
  private static void requireBelow(URI uri) {
    var parts = List.of(uri.getPath().split("/", -1));
    if (parts.contains("..") || parts.contains(".")) {
      throw new EvitaException(
          HttpErrorCode.MALFORMED_REQUEST,
          "The path for the upstream has the segment '.' or '..'; resolve it first");
    }
  }

  private static EvitaException invalid(String handler, String what) {
    return new EvitaException(
        SqlErrorCode.INVALID_HANDLER_RESPONSE,
        HeaderRules.printable("Handler " + handler + " " + what));
  }

  private static String original(Exchange exchange) {
    var request = exchange.request();
    var path = new StringBuilder();
    for (var part : request.path().substring(1).split("/", -1)) {
      path.append('/')
          .append(
              URLEncoder.encode(part, StandardCharsets.UTF_8)
                  .replace("+", "%20")
                  .replace("%252F", "%2F") // stays encoded in a decoded path
                  .replace("%252f", "%2f"));
    }
    return request.query().isEmpty() ? path.toString() : path + "?" + request.query();
  }

  private static HttpRequest request(HandlerInput input, URI uri) {
    var from = input.request();
    var body = input.body();
    var builder =
        HttpRequest.newBuilder(uri)
            .method(
                from.method(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    from.forEachHeader((name, value) -> {
      if (!HeaderRules.isReserved(name) && !NOT_PASSED_ON.contains(name) && !name.startsWith(":")) {
        builder.header(name, value);
      }
    });
    var client = from.remoteAddress();
    if (client != null) {
      builder.header("X-Forwarded-For", client);
    }
    var host = from.header("Host");
    if (host != null) {
      builder.header("X-Forwarded-Host", host);
    }
    return builder.build();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.shutdownNow();
    }
  }
}
