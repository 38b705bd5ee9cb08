// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.ConnectorStatistics;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.DelegateOpenListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;
import org.xnio.ssl.SslConnection;

/**
 * The socket side: Undertow's listeners, put together by hand rather than by {@code
 * Undertow.Builder}, because we own the buffer pool, stop accepting before we stop serving, and
 * count connections.
 *
 * <p>Plain: HTTP/1.1, and h2c by upgrade and by prior knowledge. With TLS: HTTP/1.1 and h2 by ALPN.
 */
final class HttpHost implements AutoCloseable {

  /** A whole TLS record must fit, 16 KiB and its overhead; else Undertow spins on it for ever. */
  static final int BUFFER_BYTES = 17 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);

  private static final int MAX_IDLE_BUFFERS = 1_024;

  private final String address;
  private final XnioWorker worker;
  private final ByteBufferPool buffers;
  private final Opening opening;
  private final AcceptingChannel<? extends StreamConnection> listener;

  private HttpHost(
      String address,
      XnioWorker worker,
      ByteBufferPool buffers,
      Opening opening,
      AcceptingChannel<? extends StreamConnection> listener) {
    this.address = address;
    this.worker = worker;
    this.buffers = buffers;
    this.opening = opening;
    this.listener = listener;
  }

  /**
   * @param tls null for plain HTTP
   */
  static HttpHost start(
      ExternalApiServer server,
      ServerOptions options,
      @Nullable CertificateReloader tls,
      ByteBufferPool buffers) {
    var bind = resolve(options);
    XnioWorker worker = null;
    try {
      worker = worker(options);
      server.dispatcher().serves(worker);
      var hosts = AllowedHosts.of(options.allowedHosts(), bind.getAddress());
      var opening = new Opening(server, hosts, buffers, undertowOptions(options.limits()));
      var listener =
          tls == null
              ? opening.listenPlain(worker, bind, options)
              : opening.listenTls(worker, bind, options, tls);
      listener.resumeAccepts();
      return new HttpHost(shown(bind.getAddress()), worker, buffers, opening, listener);
    } catch (IOException e) {
      close(worker, buffers);
      throw new EvitaException(
          ErrorCode.ADDRESS_IN_USE,
          "Cannot listen on "
              + options.host()
              + ":"
              + options.port()
              + " ("
              + e.getMessage()
              + "); stop what listens there, or choose another with --port",
          e);
    } catch (RuntimeException e) {
      close(worker, buffers);
      throw e;
    }
  }

  /**
   * The buffers of one server: at most so many idle ones are kept, shared by all threads.
   * Undertow's default keeps more of them in each thread, and none beyond.
   */
  static ByteBufferPool buffers() {
    return new DefaultByteBufferPool(true, BUFFER_BYTES, MAX_IDLE_BUFFERS, 0);
  }

  private static InetSocketAddress resolve(ServerOptions options) {
    try {
      return new InetSocketAddress(InetAddress.getByName(options.host()), options.port());
    } catch (UnknownHostException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "host is '" + options.host() + "'; expected an address of this machine or 0.0.0.0",
          e);
    }
  }

  private static XnioWorker worker(ServerOptions options) throws IOException {
    var threads =
        options.ioThreads() > 0
            ? options.ioThreads()
            : Math.max(Runtime.getRuntime().availableProcessors(), 2);
    var connections = options.limits().maxConnections();
    return Xnio.getInstance(HttpHost.class.getClassLoader())
        .createWorker(
            OptionMap.builder()
                .set(Options.WORKER_NAME, "evita")
                .set(Options.THREAD_DAEMON, false)
                .set(Options.WORKER_IO_THREADS, threads)
                .set(Options.CONNECTION_HIGH_WATER, connections)
                .set(Options.CONNECTION_LOW_WATER, connections)
                .set(Options.WORKER_TASK_CORE_THREADS, 1)
                .set(Options.WORKER_TASK_MAX_THREADS, 2)
                .getMap());
  }

  /** How connections begin. */
  private static final class Opening {

    private final ExternalApiServer server;
    private final AllowedHosts hosts;
    private final ByteBufferPool buffers;
    private final OptionMap options;
    private final Limits limits;
    private final HttpOpenListener http;
    private final Http2Upgrade upgrade;
    private final Set<Http2Connection> http2 = ConcurrentHashMap.newKeySet();

    private Opening(
        ExternalApiServer server, AllowedHosts hosts, ByteBufferPool buffers, OptionMap options) {
      this.server = server;
      this.hosts = hosts;
      this.buffers = buffers;
      this.options = options;
      this.limits = server.dispatcher().limits();
      this.http = new HttpOpenListener(buffers, options);
      this.upgrade = new Http2Upgrade(this::upgraded, limits.requestTimeout());
    }

    private AcceptingChannel<? extends StreamConnection> listenPlain(
        XnioWorker worker, InetSocketAddress bind, ServerOptions of) throws IOException {
      http.setRootHandler(this::handlePlain);
      ChannelListener<StreamConnection> open =
          connection ->
              new FirstBytes(connection, buffers, this::openHttp1, this::openHttp2)
                  .await(limits.idleTimeout());
      return worker.createStreamConnectionServer(
          bind, ChannelListeners.openListenerAdapter(open), socketOptions(of.limits()));
    }

    private AcceptingChannel<? extends StreamConnection> listenTls(
        XnioWorker worker, InetSocketAddress bind, ServerOptions of, CertificateReloader tls)
        throws IOException {
      http.setRootHandler(this::handleHttp1);
      var alpn = new AlpnOpenListener(buffers, options, new Wired(http, this::openHttp1));
      alpn.addProtocol(Http2OpenListener.HTTP2, new Wired(http, this::openHttp2), 10);
      var ssl = new UndertowXnioSsl(worker.getXnio(), OptionMap.EMPTY, buffers, tls.context());
      ChannelListener<StreamConnection> open =
          connection -> {
            ssl.updateSSLContext(tls.context());
            openTls(ssl, connection, alpn);
          };
      return worker.createStreamConnectionServer(
          bind, ChannelListeners.openListenerAdapter(open), socketOptions(of.limits()));
    }

    private static void openTls(
        UndertowXnioSsl ssl, StreamConnection connection, AlpnOpenListener alpn) {
      try {
        alpn.handleEvent(ssl.wrapExistingConnection(connection, OptionMap.EMPTY, false));
      } catch (RuntimeException e) {
        LOG.debug("The client left before its handshake", e);
        IoUtils.safeClose(connection);
      }
    }

    /** Below Undertow's own conduits sits our {@link RequestWire}. */
    private void openHttp1(StreamConnection connection, @Nullable PooledByteBuffer first) {
      var wire = new RequestWire(connection, bursts(connection), limits);
      wire.nextRequest(first);
      connection.getSourceChannel().setConduit(wire);
      http.handleEvent(connection, first);
    }

    private void openHttp2(StreamConnection connection, @Nullable PooledByteBuffer first) {
      var bursts = bursts(connection);
      bursts.begin();
      open(connection, bursts, first, null).resumeReceives();
    }

    private Http2Connection upgraded(
        StreamConnection connection, ByteBuffer settings, HttpServerExchange asked) {
      return open(connection, RequestWire.of(asked).http2(), null, settings);
    }

    private FrameBursts bursts(StreamConnection connection) {
      return FrameBursts.on(connection, buffers, connection instanceof SslConnection);
    }

    private Http2Connection open(
        StreamConnection connection,
        FrameBursts bursts,
        @Nullable PooledByteBuffer first,
        @Nullable ByteBuffer settings) {
      var sink = new FrameSink(connection.getSinkChannel().getConduit());
      connection.getSinkChannel().setConduit(sink);
      var opened =
          new Http2Connection(
              connection, bursts, sink, buffers, first, settings, options, server, hosts);
      http2.add(opened);
      opened.addCloseTask(http2::remove);
      if (server.draining()) {
        opened.leave();
      }
      return opened;
    }

    private void handlePlain(HttpServerExchange exchange) {
      handle(exchange, true);
    }

    private void handleHttp1(HttpServerExchange exchange) {
      handle(exchange, false);
    }

    private void handle(HttpServerExchange exchange, boolean mayUpgrade) {
      var wire = RequestWire.of(exchange);
      wire.headRead();
      var broken = StrictHttp.broken(exchange, wire, limits);
      var refusal = broken == null ? refusal(exchange) : null;
      if (mayUpgrade && broken == null && refusal == null && Http2Upgrade.wants(exchange)) {
        upgrade.upgrade(exchange);
      } else {
        exchange.dispatch(
            SameThreadExecutor.INSTANCE,
            new UndertowExchange(server, exchange, wire, broken, refusal, wire.begunNanos()));
      }
    }

    private @Nullable EvitaException refusal(HttpServerExchange exchange) {
      var foreign = StrictHttp.foreignHost(exchange, hosts);
      return foreign == null ? null : hosts.refusal(foreign);
    }
  }

  private interface Opener {
    void open(StreamConnection connection, @Nullable PooledByteBuffer first);
  }

  /** One of Undertow's listeners, with its connections opened by us. */
  private record Wired(DelegateOpenListener listener, Opener opener)
      implements DelegateOpenListener {

    @Override
    public void handleEvent(StreamConnection connection, @Nullable PooledByteBuffer first) {
      opener.open(connection, first);
    }

    @Override
    public void handleEvent(StreamConnection connection) {
      opener.open(connection, null);
    }

    @Override
    public HttpHandler getRootHandler() {
      return listener.getRootHandler();
    }

    @Override
    public void setRootHandler(HttpHandler handler) {
      listener.setRootHandler(handler);
    }

    @Override
    public OptionMap getUndertowOptions() {
      return listener.getUndertowOptions();
    }

    @Override
    public void setUndertowOptions(OptionMap options) {
      listener.setUndertowOptions(options);
    }

    @Override
    public ByteBufferPool getBufferPool() {
      return listener.getBufferPool();
    }

    @Override
    public @Nullable ConnectorStatistics getConnectorStatistics() {
      return listener.getConnectorStatistics();
    }

    @Override
    public void closeConnections() {
      listener.closeConnections();
    }
  }

  private static OptionMap undertowOptions(Limits limits) {
    return OptionMap.builder()
        // FirstBytes and ALPN know HTTP/2; amid a connection of HTTP/1 it cannot begin.
        .set(UndertowOptions.ENABLE_HTTP2, false)
        .set(UndertowOptions.HTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Http2Connection.MAX_STREAMS)
        // Calls of gRPC that are cancelled are resets; Undertow's 200 in 30 s are soon used up.
        .set(UndertowOptions.MAX_RST_FRAMES_PER_WINDOW, 1_000)
        .set(UndertowOptions.RST_FRAMES_TIME_WINDOW, 10_000)
        // Of each unread message one may be held. With Undertow's 10, few such calls end the
        // reading for all.
        .set(UndertowOptions.MAX_QUEUED_READ_BUFFERS, 64)
        // Each answer leaves at once: what Undertow would hold back for pipelining clients, it also
        // holds back from those whose next request never becomes whole.
        .set(UndertowOptions.BUFFER_PIPELINED_DATA, false)
        // RequestWire answers 431 before; Undertow would answer 400.
        .set(UndertowOptions.MAX_HEADER_SIZE, limits.maxHeaderBytes() + 4 * BUFFER_BYTES)
        // A URL is bounded by max-url-bytes; Undertow would answer 400 without saying why.
        .set(UndertowOptions.MAX_PARAMETERS, limits.maxUrlBytes())
        .set(UndertowOptions.MAX_HEADERS, 5 * StrictHttp.MAX_FIELDS)
        .set(UndertowOptions.MAX_ENTITY_SIZE, -1L)
        .set(UndertowOptions.NO_REQUEST_TIMEOUT, (int) limits.idleTimeout().toMillis())
        .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, (int) limits.requestTimeout().toMillis())
        .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
        .getMap();
  }

  private static OptionMap socketOptions(Limits limits) {
    return OptionMap.builder()
        .set(Options.TCP_NODELAY, true)
        .set(Options.REUSE_ADDRESSES, true)
        .set(Options.BALANCING_TOKENS, 1)
        .set(Options.BALANCING_CONNECTIONS, 2)
        .set(Options.BACKLOG, 1000)
        .set(Options.CONNECTION_HIGH_WATER, limits.maxConnections())
        .set(Options.CONNECTION_LOW_WATER, limits.maxConnections())
        .getMap();
  }

  private static String shown(InetAddress address) {
    if (address.isAnyLocalAddress()) {
      return "localhost";
    }
    var text = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + text + "]" : text;
  }

  String address() {
    return address;
  }

  int port() {
    return listener.getLocalAddress(InetSocketAddress.class).getPort();
  }

  /** Takes no new connection, and no new stream on those of HTTP/2, which get GOAWAY. */
  void stopAccepting() {
    IoUtils.safeClose(listener);
    opening.http2.forEach(Http2Connection::leave);
  }

  /** Connections of HTTP/2 whose clients have not closed them yet. */
  int http2Connections() {
    return opening.http2.size();
  }

  /** Tells clients of HTTP/2 that nothing more comes, as far as all that was said has left. */
  void endHttp2() {
    opening.http2.forEach(Http2Connection::end);
  }

  @Override
  public void close() {
    IoUtils.safeClose(listener);
    close(worker, buffers);
  }

  private static void close(@Nullable XnioWorker worker, ByteBufferPool buffers) {
    if (worker != null) {
      worker.shutdownNow();
      try {
        worker.awaitTermination(5, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    buffers.close();
  }
}
