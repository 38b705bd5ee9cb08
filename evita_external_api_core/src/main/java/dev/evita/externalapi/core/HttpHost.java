// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.DefaultByteBufferPool;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * The socket side of one port: Undertow's listeners, put together by hand rather than by {@code
 * Undertow.Builder}, because we own the buffer pool, stop accepting before we stop serving, and
 * count connections.
 *
 * <p>Plain: HTTP/1.1, and h2c by upgrade and by prior knowledge. With TLS: HTTP/1.1 and h2 by ALPN.
 */
final class HttpHost implements AutoCloseable {

  /** A whole TLS record must fit, 16 KiB and its overhead; else Undertow spins on it for ever. */
  static final int BUFFER_BYTES = 17 << 10;

  private static final int MAX_IDLE_BUFFERS = 1_024;

  private final String address;
  private final XnioWorker worker;
  private final ByteBufferPool buffers;
  private final ConnectionOpener opener;
  private final AcceptingChannel<? extends StreamConnection> listener;

  private HttpHost(
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
   * Listens.
   *
   * @param tls null for plain HTTP
   * @param buffers closed with this, also where this fails
   * @throws EvitaException {@code ADDRESS_IN_USE}, {@code INVALID_CONFIGURATION}
   */
  static HttpHost start(
      ExternalApiServer server,
      ListenerOptions options,
      List<String> allowedHosts,
      @Nullable CertificateReloader tls,
      ByteBufferPool buffers) {
    var bind = resolve(options);
    XnioWorker worker = null;
    try {
      worker = worker(options);
      if (!options.management()) {
        server.dispatcher().serves(worker);
      }
      var limit = new ConnectionLimit(options.maxConnections());
      var hosts = AllowedHosts.of(allowedHosts, bind.getAddress());
      var opener =
          new ConnectionOpener(
              new HttpListener(server, hosts, limit, options.management()),
              buffers,
              undertowOptions(server.dispatcher().limits()));
      var open = tls == null ? opener.plain() : opener.tls(worker.getXnio(), tls);
      var listener = worker.createStreamConnectionServer(bind, open, socketOptions(limit));
      listener.resumeAccepts();
      return new HttpHost(shown(bind.getAddress()), worker, buffers, opener, listener);
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
              + "); stop what listens there, or choose another with --"
              + options.portKey(),
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

  private static InetSocketAddress resolve(ListenerOptions options) {
    try {
      return new InetSocketAddress(InetAddress.getByName(options.host()), options.port());
    } catch (UnknownHostException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          options.hostKey()
              + " is '"
              + options.host()
              + "'; expected an address of this machine or 0.0.0.0",
          e);
    }
  }

  private static XnioWorker worker(ListenerOptions options) throws IOException {
    var threads =
        options.ioThreads() > 0
            ? options.ioThreads()
            : Math.max(Runtime.getRuntime().availableProcessors(), 2);
    return Xnio.getInstance(HttpHost.class.getClassLoader())
        .createWorker(
            OptionMap.builder()
                .set(Options.WORKER_NAME, options.name())
                .set(Options.THREAD_DAEMON, false)
                .set(Options.WORKER_IO_THREADS, threads)
                .set(Options.WORKER_TASK_CORE_THREADS, 1)
                .set(Options.WORKER_TASK_MAX_THREADS, 2)
                .getMap());
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

  private static OptionMap socketOptions(ConnectionLimit limit) {
    var accepted = Math.min(limit.max(), Integer.MAX_VALUE - ClientConnection.RESERVE);
    accepted += ClientConnection.RESERVE;
    return OptionMap.builder()
        .set(Options.TCP_NODELAY, true)
        .set(Options.REUSE_ADDRESSES, true)
        .set(Options.BALANCING_TOKENS, 1)
        .set(Options.BALANCING_CONNECTIONS, 2)
        .set(Options.BACKLOG, 1000)
        .set(Options.CONNECTION_HIGH_WATER, accepted)
        .set(Options.CONNECTION_LOW_WATER, accepted)
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

  /** Connections that count among {@code max-connections}. */
  int connections() {
    return opener.connections();
  }

  /** Takes no new connection, and no new stream on those of HTTP/2, which get GOAWAY. */
  void stopAccepting() {
    IoUtils.safeClose(listener);
    opener.http2().forEach(Http2Connection::leave);
  }

  /** Connections of HTTP/2 whose clients have not closed them yet. */
  int http2Connections() {
    return opener.http2().size();
  }

  /** Tells clients of HTTP/2 that nothing more comes, as far as all that was said has left. */
  void endHttp2() {
    opener.http2().forEach(Http2Connection::end);
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
