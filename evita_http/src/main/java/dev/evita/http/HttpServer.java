// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.DefaultByteBufferPool;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * A server on one port: Undertow's listeners, put together by hand rather than by {@code
 * Undertow.Builder}, because we own the buffer pool, stop accepting before we stop serving, and
 * count connections.
 *
 * <p>Plain: HTTP/1.1, and h2c by upgrade and by prior knowledge. With TLS: HTTP/1.1 and h2 by ALPN.
 *
 * <p>Thread-safe. It has threads of its own: the I/O threads, each of which owns some of the
 * connections.
 */
public final class HttpServer implements AutoCloseable {

  /** A whole TLS record must fit, 16 KiB and its overhead; else Undertow spins on it for ever. */
  static final int BUFFER_BYTES = 17 << 10;

  private static final int MAX_IDLE_BUFFERS = 1_024;

  private final String address;
  private final XnioWorker worker;
  private final ByteBufferPool buffers;
  private final ConnectionOpener opener;
  private final AcceptingChannel<? extends StreamConnection> listener;

  private HttpServer(
      String address,
      XnioWorker worker,
      ByteBufferPool buffers,
      ConnectionOpener opener,
      AcceptingChannel<? extends StreamConnection> listener) {
    this.address = address;
    this.worker = worker;
    this.buffers = buffers;
    this.opener = opener;
    this.listener = listener;
  }

  /**
   * Binds the address. Connections are accepted from {@link #accept} on.
   *
   * @param tls the context of the next handshake; null for plain HTTP
   * @param buffers such as {@link #buffers}; closed with this server, also where this fails
   * @throws IOException if the address cannot be bound
   */
  public static HttpServer bind(
      HttpServerOptions options,
      HttpHandler handler,
      @Nullable Supplier<SSLContext> tls,
      ByteBufferPool buffers)
      throws IOException {
    XnioWorker worker;
    try {
      worker = worker(options);
    } catch (IOException | RuntimeException e) {
      buffers.close();
      throw e;
    }
    try {
      var opener = new ConnectionOpener(options, handler, buffers, undertowOptions(options));
      var open = tls == null ? opener.plain() : opener.tls(worker.getXnio(), tls);
      var listener =
          worker.createStreamConnectionServer(options.address(), open, socketOptions(options));
      return new HttpServer(
          shown(options.address().getAddress()), worker, buffers, opener, listener);
    } catch (IOException | RuntimeException e) {
      close(worker, buffers);
      throw e;
    }
  }

  /** Accepts connections from now on. */
  public void accept() {
    listener.resumeAccepts();
  }

  /**
   * A pool of buffers for one server: at most so many idle ones are kept, shared by all threads.
   * Undertow's default keeps more of them in each thread, and none beyond.
   */
  public static ByteBufferPool buffers() {
    return new DefaultByteBufferPool(true, BUFFER_BYTES, MAX_IDLE_BUFFERS, 0);
  }

  /** The I/O threads. */
  public XnioWorker worker() {
    return worker;
  }

  private static XnioWorker worker(HttpServerOptions options) throws IOException {
    var threads =
        options.ioThreads() > 0
            ? options.ioThreads()
            : Math.max(Runtime.getRuntime().availableProcessors(), 2);
    return Xnio.getInstance(HttpServer.class.getClassLoader())
        .createWorker(
            OptionMap.builder()
                .set(Options.WORKER_NAME, options.name())
                .set(Options.THREAD_DAEMON, false)
                .set(Options.WORKER_IO_THREADS, threads)
                .set(Options.WORKER_TASK_CORE_THREADS, 1)
                .set(Options.WORKER_TASK_MAX_THREADS, 2)
                .getMap());
  }

  private static OptionMap undertowOptions(HttpServerOptions options) {
    return OptionMap.builder()
        // Ours are the connections of HTTP/2.
        .set(UndertowOptions.ENABLE_HTTP2, false)
        // Each answer leaves at once: what Undertow would hold back for pipelining clients, it also
        // holds back from those whose next request never becomes whole.
        .set(UndertowOptions.BUFFER_PIPELINED_DATA, false)
        // RequestInspector answers 431 before; Undertow would answer 400.
        .set(UndertowOptions.MAX_HEADER_SIZE, options.maxHeaderBytes() + 4 * BUFFER_BYTES)
        // A URL is bounded by max-url-bytes; Undertow would answer 400 without saying why.
        .set(UndertowOptions.MAX_PARAMETERS, options.maxUrlBytes())
        .set(UndertowOptions.MAX_HEADERS, 5 * StrictHttp.MAX_FIELDS)
        .set(UndertowOptions.MAX_ENTITY_SIZE, -1L)
        .set(UndertowOptions.NO_REQUEST_TIMEOUT, (int) options.idleTimeout().toMillis())
        .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, (int) options.requestTimeout().toMillis())
        .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
        .getMap();
  }

  private static OptionMap socketOptions(HttpServerOptions options) {
    var sockets = options.sockets();
    var most = Math.min(options.maxConnections(), Integer.MAX_VALUE - ClientConnection.RESERVE);
    var accepted = most + ClientConnection.RESERVE;
    var map =
        OptionMap.builder()
            .set(Options.TCP_NODELAY, sockets.tcpNoDelay())
            .set(Options.REUSE_ADDRESSES, sockets.reuseAddress())
            .set(Options.BALANCING_TOKENS, 1)
            .set(Options.BALANCING_CONNECTIONS, 2)
            .set(Options.BACKLOG, sockets.backlog())
            .set(Options.CONNECTION_HIGH_WATER, accepted)
            .set(Options.CONNECTION_LOW_WATER, accepted);
    if (sockets.receiveBufferBytes() > 0) {
      map.set(Options.RECEIVE_BUFFER, sockets.receiveBufferBytes());
    }
    if (sockets.sendBufferBytes() > 0) {
      map.set(Options.SEND_BUFFER, sockets.sendBufferBytes());
    }
    return map.getMap();
  }

  private static String shown(InetAddress address) {
    if (address.isAnyLocalAddress()) {
      return "localhost";
    }
    var text = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + text + "]" : text;
  }

  /** The host by which clients on this machine reach it, as it is written in a URL. */
  public String address() {
    return address;
  }

  /** The port that it listens on. */
  public int port() {
    return listener.getLocalAddress(InetSocketAddress.class).getPort();
  }

  /** Connections that count among {@code max-connections}. */
  public int connections() {
    return opener.connections();
  }

  /** Takes no new connection, and no new stream on those of HTTP/2, which get GOAWAY. */
  public void stopAccepting() {
    IoUtils.safeClose(listener);
    opener.http2().forEach(Http2Connection::leave);
  }

  /** Connections of HTTP/2 whose clients have not closed them yet. */
  public int http2Connections() {
    return opener.http2().size();
  }

  /** Tells clients of HTTP/2 that nothing more comes, as far as all that was said has left. */
  public void endHttp2() {
    opener.http2().forEach(Http2Connection::end);
  }

  /** Closes all connections and the threads, and returns when they have ended. */
  @Override
  public void close() {
    IoUtils.safeClose(listener);
    close(worker, buffers);
  }

  private static void close(XnioWorker worker, ByteBufferPool buffers) {
    worker.shutdownNow();
    try {
      worker.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    buffers.close();
  }
}
