// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * Upgrades a connection of HTTP/1.1 to HTTP/2; stream 1 carries the response to the upgrade request
 * (RFC 7540, section 3.2).
 */
final class Http2Upgrade {

  private static final String TOKEN = "h2c";
  private static final int MOST_BODY_BYTES = 16 << 10;

  /** Fields that are specific to the HTTP/1 connection (RFC 9113, section 8.2.2). */
  private static final Set<HttpString> OF_HTTP_1 =
      Set.of(
          Headers.CONNECTION,
          Headers.UPGRADE,
          Headers.KEEP_ALIVE,
          new HttpString("HTTP2-Settings"));

  /** Opens the HTTP/2 connection. */
  interface Opener {
    Http2Connection open(StreamConnection connection, HttpServerExchange request);
  }

  private final Opener opener;
  private final Duration bodyTimeout;

  Http2Upgrade(Opener opener, Duration bodyTimeout) {
    this.opener = opener;
    this.bodyTimeout = bodyTimeout;
  }

  /** Whether a valid request is to be upgraded. */
  static boolean isRequested(HttpServerExchange exchange) {
    var fields = exchange.getRequestHeaders();
    return TOKEN.equals(fields.getFirst(Headers.UPGRADE))
        && exchange.isHttp11()
        && StrictHttp.lists(exchange, Headers.CONNECTION, "upgrade")
        && StrictHttp.lists(exchange, Headers.CONNECTION, "http2-settings")
        && !fields.contains(Headers.TRANSFER_ENCODING)
        && !HttpContinue.requiresContinueResponse(exchange)
        && exchange.getRequestContentLength() <= MOST_BODY_BYTES
        && StrictHttp.http2SettingsReadable(exchange);
  }

  /** Reads the body, without holding a thread, and then responds with 101. */
  void upgrade(HttpServerExchange exchange) {
    if (exchange.isRequestComplete()) {
      switchOver(exchange, null);
      return;
    }
    var timer =
        exchange
            .getIoThread()
            .executeAfter(() -> bodyIsDue(exchange), bodyTimeout.toMillis(), TimeUnit.MILLISECONDS);
    exchange
        .getRequestReceiver()
        .receiveFullBytes((complete, body) -> {
          timer.remove();
          switchOver(complete, body);
        });
  }

  private static void bodyIsDue(HttpServerExchange exchange) {
    if (!exchange.isUpgrade() && !exchange.isComplete()) {
      IoUtils.safeClose(exchange.getConnection());
    }
  }

  private void switchOver(HttpServerExchange exchange, byte @Nullable [] body) {
    var settings = exchange.getRequestHeaders().getFirst("HTTP2-Settings");
    var decoded = ByteBuffer.wrap(Base64.getUrlDecoder().decode(settings));
    exchange.getResponseHeaders().put(Headers.UPGRADE, TOKEN);
    var begunNanos = RequestInspector.of(exchange).begunNanos();
    exchange.upgradeChannel((connection, request) ->
        opener.open(connection, request).beginUpgraded(decoded, head(request), begunNanos, body));
  }

  /** The same request as stream 1. */
  private static Http2Head head(HttpServerExchange request) {
    var fields = new HeaderMap();
    for (var values : request.getRequestHeaders()) {
      if (!OF_HTTP_1.contains(values.getHeaderName())) {
        fields.putAll(values.getHeaderName(), values);
      }
    }
    var uri = request.getRequestURI();
    if (request.isHostIncludedInRequestURI()) {
      var from = uri.indexOf('/', uri.indexOf("//") + 2);
      uri = from < 0 ? "/" : uri.substring(from);
    }
    var query = request.getQueryString();
    return new Http2Head(
        request.getRequestMethod().toString(),
        query.isEmpty() ? uri : uri + "?" + query,
        fields.getFirst(Headers.HOST),
        fields,
        false);
  }
}
