// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
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

/**
 * Opens accepted sockets as connections of HTTP/1.1 or HTTP/2.
 *
 * <pre>
 * accepted --plain--> first bytes --> HTTP/1.1 | HTTP/2
 *          --TLS----> handshake, ALPN --> HTTP/1.1 | HTTP/2
 * </pre>
 */
final class ConnectionOpener {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionOpener.class);

  private final HttpServerOptions options;
  private final HttpHandler handler;
  private final ByteBufferPool buffers;
  private final OptionMap undertow;
  private final AllowedHosts hosts;
  private final ConnectionLimit limit;
  private final HttpOpenListener http;
  private final Http2Upgrade upgrade;
  private final Http2Options http2Options;
  private final Set<Http2Connection> http2 = ConcurrentHashMap.newKeySet();

  /** TLS connections before the end of their handshake. */
  private final Map<StreamConnection, ClientConnection> handshakes = new ConcurrentHashMap<>();

  ConnectionOpener(
      HttpServerOptions options, HttpHandler handler, ByteBufferPool buffers, OptionMap undertow) {
    this.options = options;
    this.handler = handler;
    this.buffers = buffers;
    this.undertow = undertow;
    this.hosts = AllowedHosts.of(options.allowedHosts(), options.address().getAddress());
    this.limit = new ConnectionLimit(options.maxConnections());
    this.http = new HttpOpenListener(buffers, undertow);
    this.http2Options = options.http2();
    this.upgrade = new Http2Upgrade(this::upgraded, options.requestTimeout());
  }

  // ---- accept ----

  /** Opens connections without TLS. */
  ChannelListener<AcceptingChannel<StreamConnection>> plain() {
    http.setRootHandler(exchange -> handle(exchange, true));
    return channel -> accept(channel, this::openPlain);
  }

  /** Opens connections with TLS. */
  ChannelListener<AcceptingChannel<StreamConnection>> tls(Xnio xnio, Supplier<SSLContext> tls) {
    http.setRootHandler(exchange -> handle(exchange, false));
    var alpn = new AlpnOpenListener(buffers, undertow, new AlpnListener(http, this::openHttp1));
    alpn.addProtocol(Http2OpenListener.HTTP2, new AlpnListener(http, this::openHttp2), 10);
    var ssl = new UndertowXnioSsl(xnio, OptionMap.EMPTY, buffers, tls.get());
    return channel ->
        accept(
            channel,
            connection -> {
              ssl.updateSSLContext(tls.get());
              openTls(ssl, connection, alpn);
            });
  }

  /** On the I/O thread of the accepted connection. */
  private static void accept(
      AcceptingChannel<StreamConnection> channel, Consumer<StreamConnection> opener) {
    try {
      for (var next = channel.accept(); next != null; next = channel.accept()) {
        open(next, opener);
      }
    } catch (ClosedChannelException e) {
      LOG.debug("The server is shutting down", e);
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
    new ProtocolSniffer(
            connection,
            buffers,
            (open, first) -> openHttp1(open, first, client),
            (open, first) -> openHttp2(open, first, client))
        .await(options.idleTimeout());
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
   * @param connection the socket's connection
   * @param outer the same, or the TLS connection over it
   */
  private ClientConnection admitted(StreamConnection connection, StreamConnection outer) {
    var client = new ClientConnection(limit, options.reservedPrefix());
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

  /** Runs a task, once or twice, when the connection is closed; in addition to existing ones. */
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
      client = new ClientConnection(limit, options.reservedPrefix());
      client.close(); // it has ended already
    }
    return client;
  }

  /** Our {@link RequestInspector} is below Undertow's own conduits. */
  private void openHttp1(
      StreamConnection connection, @Nullable PooledByteBuffer first, ClientConnection client) {
    var wire = new RequestInspector(connection, options.maxHeaderBytes(), client);
    var sink = connection.getSinkChannel();
    sink.setConduit(new GatheringSink(sink.getConduit(), wire));
    wire.nextRequest(first);
    connection.getSourceChannel().setConduit(wire);
    http.handleEvent(connection, first);
    // Undertow's listener has replaced ours.
    onClose(connection, client::close);
  }

  private void openHttp2(
      StreamConnection connection, @Nullable PooledByteBuffer first, ClientConnection client) {
    http2(connection, client).begin(first);
  }

  private Http2Connection upgraded(StreamConnection connection, HttpServerExchange request) {
    var wire = RequestInspector.of(request);
    wire.upgraded();
    return http2(connection, wire.client());
  }

  private Http2Connection http2(StreamConnection connection, ClientConnection client) {
    var opened =
        new Http2Connection(
            connection, buffers, http2Options, stream -> handle(client, stream), http2::remove);
    http2.add(opened);
    if (handler.isDraining()) {
      opened.leave();
    }
    return opened;
  }

  /** The number of connections that count among {@code max-connections}. */
  int connections() {
    return limit.count();
  }

  /** The open HTTP/2 connections. */
  Set<Http2Connection> http2() {
    return http2;
  }

  // ---- requests ----

  private void handle(HttpServerExchange exchange, boolean mayUpgrade) {
    var wire = RequestInspector.of(exchange);
    wire.headRead();
    if (StrictHttp.lists(exchange, Headers.CONNECTION, "close")) {
      exchange.setPersistent(false); // Undertow compares the first line of the field as a whole
    }
    var broken = StrictHttp.broken(exchange, wire, options.maxHeaderBytes());
    var foreign = broken == null ? StrictHttp.foreignHost(exchange, hosts) : null;
    var upgradable = mayUpgrade && broken == null && foreign == null && wire.client().regular();
    if (upgradable && Http2Upgrade.isRequested(exchange)) {
      upgrade.upgrade(exchange);
      return;
    }
    var stream = new Http1Stream(exchange, wire, handler);
    stream.dispatch(fault(wire.client(), stream, broken, foreign));
  }

  private void handle(ClientConnection client, Http2Stream stream) {
    var head = stream.head();
    var foreign = StrictHttp.foreignHost(head, hosts);
    var broken = StrictHttp.broken(head);
    var fault = broken == null ? StrictHttp.brokenTarget(head.target()) : broken.fault();
    handle(stream, fault == null ? fault(client, stream, null, foreign) : fault);
  }

  private @Nullable HttpFault fault(
      ClientConnection client,
      HttpStream stream,
      StrictHttp.@Nullable Rule broken,
      @Nullable String foreignHost) {
    if (broken != null) {
      return broken.fault();
    }
    if (foreignHost != null) {
      return hosts.fault(foreignHost);
    }
    var fault = client.fault(stream.method(), stream.path());
    if (fault != null) {
      stream.leaveConnection();
    }
    return fault;
  }

  private void handle(HttpStream stream, @Nullable HttpFault fault) {
    try {
      handler.handle(stream, fault);
    } catch (RuntimeException | Error e) {
      LOG.error("Internal error at the beginning of a request", e);
      stream.reset();
    }
  }
}
