// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import io.undertow.util.Headers;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.channels.AcceptingChannel;
import org.xnio.ssl.SslConnection;

/**
 * Makes what is accepted on a port a connection of HTTP/1.1 or HTTP/2.
 *
 * <pre>
 *   accepted --plain--> first bytes --> HTTP/1.1 | HTTP/2
 *            --TLS----> handshake, ALPN --> HTTP/1.1 | HTTP/2
 * </pre>
 */
final class ConnectionOpener {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionOpener.class);

  private final HttpListener listener;
  private final ByteBufferPool buffers;
  private final OptionMap options;
  private final Limits limits;
  private final HttpOpenListener http;
  private final Http2Upgrade upgrade;
  private final Set<Http2Connection> http2 = ConcurrentHashMap.newKeySet();

  /** Connections of TLS before the end of their handshake. */
  private final Map<StreamConnection, ClientConnection> handshakes = new ConcurrentHashMap<>();

  /**
   * @param options Undertow's
   */
  ConnectionOpener(HttpListener listener, ByteBufferPool buffers, OptionMap options) {
    this.listener = listener;
    this.buffers = buffers;
    this.options = options;
    this.limits = listener.server().dispatcher().limits();
    this.http = new HttpOpenListener(buffers, options);
    this.upgrade = new Http2Upgrade(this::upgraded, limits.requestTimeout());
  }

  // ---- accept ----

  /** Opens connections without TLS. */
  ChannelListener<AcceptingChannel<StreamConnection>> plain() {
    http.setRootHandler(exchange -> handle(exchange, true));
    return channel -> accept(channel, this::openPlain);
  }

  /** Opens connections with TLS. */
  ChannelListener<AcceptingChannel<StreamConnection>> tls(Xnio xnio, CertificateReloader tls) {
    http.setRootHandler(exchange -> handle(exchange, false));
    var alpn = new AlpnOpenListener(buffers, options, new AlpnListener(http, this::openHttp1));
    alpn.addProtocol(Http2OpenListener.HTTP2, new AlpnListener(http, this::openHttp2), 10);
    var ssl = new UndertowXnioSsl(xnio, OptionMap.EMPTY, buffers, tls.context());
    return channel ->
        accept(
            channel,
            connection -> {
              ssl.updateSSLContext(tls.context());
              openTls(ssl, connection, alpn);
            });
  }

  /** On the I/O thread of what has been accepted. */
  private static void accept(
      AcceptingChannel<StreamConnection> channel, Consumer<StreamConnection> opener) {
    try {
      for (var next = channel.accept(); next != null; next = channel.accept()) {
        open(next, opener);
      }
    } catch (ClosedChannelException e) {
      LOG.debug("The server stops", e);
    } catch (IOException e) {
      LOG.warn("Failed to accept a connection", e);
    }
  }

  private static void open(StreamConnection connection, Consumer<StreamConnection> opener) {
    try {
      opener.accept(connection);
    } catch (RuntimeException e) {
      LOG.debug("Failed to open a connection; the client may have left", e);
      IoUtils.safeClose(connection);
    }
  }

  private void openPlain(StreamConnection connection) {
    var client = admitted(connection, connection);
    new FirstBytes(
            connection,
            buffers,
            (open, first) -> openHttp1(open, first, client),
            (open, first) -> openHttp2(open, first, client))
        .await(limits.idleTimeout());
  }

  private void openTls(UndertowXnioSsl ssl, StreamConnection connection, AlpnOpenListener alpn) {
    var secure = ssl.wrapExistingConnection(connection, OptionMap.EMPTY, false);
    handshakes.put(secure, admitted(connection, secure));
    onClose(connection, () -> handshakes.remove(secure));
    alpn.handleEvent(secure);
  }

  /**
   * Counts a connection until it is closed.
   *
   * @param connection whose end is that of the socket
   * @param outer the same, or what encrypts it
   */
  private ClientConnection admitted(StreamConnection connection, StreamConnection outer) {
    var client = new ClientConnection(listener);
    onClose(connection, client::close);
    if (!client.regular()) {
      tickLater(outer, client);
    }
    return client;
  }

  private static void tickLater(StreamConnection connection, ClientConnection client) {
    var unused =
        connection
            .getIoThread()
            .executeAfter(
                () -> tick(connection, client),
                ClientConnection.TICK_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  private static void tick(StreamConnection connection, ClientConnection client) {
    if (!connection.isOpen()) {
      return;
    }
    if (client.tick()) {
      IoUtils.safeClose(connection);
    } else if (!client.regular()) {
      tickLater(connection, client);
    }
  }

  /** Runs this, once or twice, when the connection is closed; besides what is to run already. */
  private static void onClose(StreamConnection connection, Runnable task) {
    var before = connection.getCloseListener();
    connection.setCloseListener(closed -> {
      task.run();
      ChannelListeners.invokeChannelListener(closed, before);
    });
    if (!connection.isOpen()) {
      task.run();
    }
  }

  // ---- protocols ----

  private void openHttp1(StreamConnection connection, @Nullable PooledByteBuffer first) {
    openHttp1(connection, first, handshaken(connection));
  }

  private void openHttp2(StreamConnection connection, @Nullable PooledByteBuffer first) {
    openHttp2(connection, first, handshaken(connection));
  }

  private ClientConnection handshaken(StreamConnection secure) {
    var client = handshakes.remove(secure);
    if (client == null) {
      client = new ClientConnection(listener);
      client.close(); // its end has come already
    }
    return client;
  }

  /** Below Undertow's own conduits sits our {@link RequestWire}. */
  private void openHttp1(
      StreamConnection connection, @Nullable PooledByteBuffer first, ClientConnection client) {
    var wire = new RequestWire(connection, bursts(connection), limits, client);
    wire.nextRequest(first);
    connection.getSourceChannel().setConduit(wire);
    http.handleEvent(connection, first);
    // Undertow's listener has taken the place of ours.
    onClose(connection, client::close);
  }

  private void openHttp2(
      StreamConnection connection, @Nullable PooledByteBuffer first, ClientConnection client) {
    var bursts = bursts(connection);
    bursts.begin();
    open(connection, bursts, first, null, client).resumeReceives();
  }

  private Http2Connection upgraded(
      StreamConnection connection, ByteBuffer settings, HttpServerExchange asked) {
    var wire = RequestWire.of(asked);
    return open(connection, wire.http2(), null, settings, wire.client());
  }

  private FrameBursts bursts(StreamConnection connection) {
    return FrameBursts.on(connection, buffers, connection instanceof SslConnection);
  }

  private Http2Connection open(
      StreamConnection connection,
      FrameBursts bursts,
      @Nullable PooledByteBuffer first,
      @Nullable ByteBuffer settings,
      ClientConnection client) {
    var sink = new FrameSink(connection.getSinkChannel().getConduit());
    connection.getSinkChannel().setConduit(sink);
    var opened =
        new Http2Connection(connection, bursts, sink, buffers, first, settings, options, client);
    http2.add(opened);
    opened.addCloseTask(http2::remove);
    if (listener.draining()) {
      opened.leave();
    }
    return opened;
  }

  /** Connections that count among {@code max-connections}. */
  int connections() {
    return listener.limit().count();
  }

  /** Connections of HTTP/2 that are open. */
  Set<Http2Connection> http2() {
    return http2;
  }

  // ---- requests ----

  private void handle(HttpServerExchange exchange, boolean mayUpgrade) {
    var wire = RequestWire.of(exchange);
    wire.headRead();
    if (StrictHttp.lists(exchange, Headers.CONNECTION, "close")) {
      exchange.setPersistent(false); // Undertow looks at the first line of the field as a whole
    }
    var broken = StrictHttp.broken(exchange, wire, limits);
    var refusal = broken == null ? refusal(exchange) : null;
    if (mayUpgrade && broken == null && refusal == null && Http2Upgrade.wants(exchange)) {
      upgrade.upgrade(exchange);
    } else {
      exchange.dispatch(
          SameThreadExecutor.INSTANCE,
          new UndertowExchange(wire.client(), exchange, wire, broken, refusal, wire.begunNanos()));
    }
  }

  private @Nullable EvitaException refusal(HttpServerExchange exchange) {
    var foreign = StrictHttp.foreignHost(exchange, listener.hosts());
    return foreign == null ? null : listener.hosts().refusal(foreign);
  }
}
