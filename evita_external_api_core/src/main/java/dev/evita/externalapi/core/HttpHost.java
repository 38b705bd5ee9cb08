// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import io.undertow.server.protocol.http2.Http2UpgradeHandler;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * The socket side: Undertow's listeners, put together by hand rather than by {@code
 * Undertow.Builder}, because we own the buffer pool, stop accepting before we stop serving, and
 * count connections.
 *
 * <p>Plain: HTTP/1.1, and h2c by upgrade and by prior knowledge. With TLS: HTTP/1.1 and h2 by ALPN.
 */
final class HttpHost implements AutoCloseable {

  private static final int BUFFER_BYTES = 16 << 10;

  private final String address;
  private final XnioWorker worker;
  private final ByteBufferPool buffers;
  private final AcceptingChannel<? extends StreamConnection> listener;

  private HttpHost(
      String address,
      XnioWorker worker,
      ByteBufferPool buffers,
      AcceptingChannel<? extends StreamConnection> listener) {
    this.address = address;
    this.worker = worker;
    this.buffers = buffers;
    this.listener = listener;
  }

  static HttpHost start(ExternalApiServer server, ServerOptions options) {
    var bind = resolve(options);
    var buffers = new DefaultByteBufferPool(true, BUFFER_BYTES, -1, 4);
    XnioWorker worker = null;
    try {
      worker = worker(options);
      HttpHandler handler =
          exchange ->
              exchange.dispatch(
                  SameThreadExecutor.INSTANCE, new UndertowExchange(server, exchange));
      var listener = listen(worker, bind, buffers, handler, options);
      listener.resumeAccepts();
      return new HttpHost(shown(bind.getAddress()), worker, buffers, listener);
    } catch (IOException e) {
      buffers.close();
      if (worker != null) {
        worker.shutdownNow();
      }
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
    }
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

  private static AcceptingChannel<? extends StreamConnection> listen(
      XnioWorker worker,
      InetSocketAddress bind,
      ByteBufferPool buffers,
      HttpHandler handler,
      ServerOptions options)
      throws IOException {
    var undertow = undertowOptions(options.limits());
    var sockets = socketOptions(options.limits());
    var http = new HttpOpenListener(buffers, undertow);
    if (!options.tls().enabled()) {
      http.setRootHandler(new Http2UpgradeHandler(handler));
      return worker.createStreamConnectionServer(
          bind, ChannelListeners.openListenerAdapter(http), sockets);
    }
    http.setRootHandler(handler);
    var http2 = new Http2OpenListener(buffers, undertow);
    http2.setRootHandler(handler);
    var alpn = new AlpnOpenListener(buffers, undertow, http);
    alpn.addProtocol(Http2OpenListener.HTTP2, http2, 10);
    var ssl =
        new UndertowXnioSsl(worker.getXnio(), OptionMap.EMPTY, buffers, Tls.context(options.tls()));
    ChannelListener<AcceptingChannel<StreamConnection>> accept =
        ChannelListeners.openListenerAdapter(alpn);
    return ssl.createSslConnectionServer(worker, bind, erased(accept), sockets);
  }

  @SuppressWarnings(
      "unchecked") // an SslConnection is a StreamConnection; XNIO's signature is too narrow
  private static <T extends java.nio.channels.Channel> ChannelListener<T> erased(
      ChannelListener<?> listener) {
    return (ChannelListener<T>) listener;
  }

  private static OptionMap undertowOptions(Limits limits) {
    return OptionMap.builder()
        .set(UndertowOptions.ENABLE_HTTP2, true)
        .set(UndertowOptions.BUFFER_PIPELINED_DATA, true)
        .set(UndertowOptions.MAX_HEADER_SIZE, limits.maxHeaderBytes())
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

  void stopAccepting() {
    IoUtils.safeClose(listener);
  }

  @Override
  public void close() {
    IoUtils.safeClose(listener);
    worker.shutdownNow();
    try {
      worker.awaitTermination(5, java.util.concurrent.TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    buffers.close();
  }
}
