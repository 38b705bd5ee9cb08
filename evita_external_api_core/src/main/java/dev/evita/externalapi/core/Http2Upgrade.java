// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import io.undertow.conduits.HeadStreamSinkConduit;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.server.Connectors;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.server.protocol.http2.Http2ServerConnection;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.ImmediatePooledByteBuffer;
import io.undertow.util.Methods;
import io.undertow.util.Protocols;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * Makes a connection of HTTP/1.1 one of HTTP/2, whose stream 1 answers the request that asked for
 * it (RFC 7540, section 3.2). Undertow's own handler does the same with a connection of its own.
 */
final class Http2Upgrade {

  private static final int MOST_BODY_BYTES = 16 << 10;

  /** Opens the connection of HTTP/2. */
  interface Opener {
    Http2Connection open(
        StreamConnection connection, ByteBuffer settings, HttpServerExchange first);
  }

  private final Opener opener;
  private final Duration bodyTimeout;

  Http2Upgrade(Opener opener, Duration bodyTimeout) {
    this.opener = opener;
    this.bodyTimeout = bodyTimeout;
  }

  /** Whether a request, whose head breaks no rule, is to be upgraded. */
  static boolean wants(HttpServerExchange exchange) {
    var fields = exchange.getRequestHeaders();
    return Http2Channel.CLEARTEXT_UPGRADE_STRING.equals(fields.getFirst(Headers.UPGRADE))
        && exchange.isHttp11()
        && StrictHttp.lists(exchange, Headers.CONNECTION, "upgrade")
        && StrictHttp.lists(exchange, Headers.CONNECTION, "http2-settings")
        && !fields.contains(Headers.TRANSFER_ENCODING)
        && !HttpContinue.requiresContinueResponse(exchange)
        && exchange.getRequestContentLength() <= MOST_BODY_BYTES
        && StrictHttp.http2SettingsReadable(exchange);
  }

  /** Reads the body, which waits without a thread, and then answers 101. */
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
    exchange.getResponseHeaders().put(Headers.UPGRADE, Http2Channel.CLEARTEXT_UPGRADE_STRING);
    exchange.upgradeChannel((connection, asked) -> {
      var http2 = opener.open(connection, decoded, asked);
      Connectors.executeRootHandler(http2.handler(), first(http2, asked, body));
      http2.resumeReceives();
    });
  }

  /** The same request on the stream 1. */
  private static HttpServerExchange first(
      Http2Connection http2, HttpServerExchange asked, byte @Nullable [] body) {
    var sink = http2.beginUpgraded();
    var connection =
        new Http2ServerConnection(
            http2,
            sink,
            asked.getConnection().getUndertowOptions(),
            asked.getConnection().getBufferSize(),
            http2.handler());
    var headers = new HeaderMap();
    for (var values : asked.getRequestHeaders()) {
      headers.putAll(values.getHeaderName(), values);
    }
    var exchange = new HttpServerExchange(connection, headers, sink.getHeaders(), -1);
    if (body != null) {
      Connectors.ungetRequestBytes(exchange, new ImmediatePooledByteBuffer(ByteBuffer.wrap(body)));
    }
    Connectors.terminateRequest(exchange);
    exchange.setRequestScheme(asked.getRequestScheme());
    exchange.setRequestMethod(asked.getRequestMethod());
    exchange.setQueryString(asked.getQueryString());
    asked
        .getQueryParameters()
        .forEach((name, values) -> values.forEach(value -> exchange.addQueryParam(name, value)));
    exchange.setRequestURI(asked.getRequestURI(), asked.isHostIncludedInRequestURI());
    exchange.setRelativePath(asked.getRelativePath());
    exchange.setRequestPath(asked.getRequestPath());
    exchange.setProtocol(Protocols.HTTP_2_0);
    sink.setTrailersProducer(() -> exchange.getAttachment(HttpAttachments.RESPONSE_TRAILERS));
    sink.setCompletionListener(completed -> Connectors.terminateResponse(exchange));
    if (Methods.HEAD.equals(exchange.getRequestMethod())) {
      exchange.addResponseWrapper(
          (factory, answered) -> new HeadStreamSinkConduit(factory.create(), null, true));
    }
    return exchange;
  }
}
