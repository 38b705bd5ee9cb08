// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.Protocols;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.URLUtils;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.ReadReadyHandler;

/**
 * A request and its response over HTTP/1.
 *
 * <pre>
 *   body:     unopened --resume, sendContinue--> reading --all read--> complete
 *   response: head --flush--> sending --end--> sent --request complete--> next request
 *                                                  '--not complete-----> lingering --> closed or next
 * </pre>
 *
 * <p>It runs as a task that Undertow dispatched to the same I/O thread: so Undertow never ends the
 * exchange by itself, and whether a response comes at once or later makes no difference.
 *
 * <p>A worker may send all but the end of a response. The end is for the connection's own thread:
 * Undertow waits for another thread that ends an exchange by spinning ({@code
 * HttpReadListener.handleEvent}), for the rest of its time slice where it has preempted that
 * thread.
 */
public final class Http1Stream implements HttpStream, Runnable, ExchangeCompletionListener {

  private static final Logger LOG = LoggerFactory.getLogger(Http1Stream.class);
  private static final int SCRATCH_BYTES = 16 << 10;
  private static final int DISCARDED_AT_ONCE = 1 << 10;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final ThreadLocal<ByteBuffer> SCRATCHES =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(SCRATCH_BYTES));

  private final HttpServerExchange exchange;
  private final RequestInspector wire;
  private final HttpHandler handler;
  private final long begunNanos;
  private Listener listener = NoOpStreamListener.LISTENER;
  private @Nullable HttpFault fault;

  // The request.
  private @Nullable StreamSourceChannel source;
  private boolean bodyOpened;
  private boolean bodyRead;
  private boolean resumed;
  private boolean reading;
  private boolean awaitingBytes;

  // The response. A single buffer, as most have, needs no queue.
  private @Nullable ByteBuffer first;
  private @Nullable Deque<ByteBuffer> others;
  private @Nullable StreamSinkChannel sink;
  private int queuedBytes;
  private long sentBytes;
  private boolean ending;
  private boolean hasTrailers;
  private boolean shutDown;
  private boolean awaitingSocket;
  private volatile boolean sent;
  private volatile boolean broken;
  private int discarded;
  private @Nullable Runnable lingering;

  Http1Stream(HttpServerExchange exchange, RequestInspector wire, HttpHandler handler) {
    this.exchange = exchange;
    this.wire = wire;
    this.handler = handler;
    this.begunNanos = wire.begunNanos();
    if (Protocols.HTTP_0_9.equals(exchange.getProtocol())) {
      exchange.setProtocol(Protocols.HTTP_1_1); // a response of 0.9 would have no status line
    }
    exchange.addExchangeCompleteListener(this);
  }

  /**
   * Has the request handled once Undertow's handler has returned.
   *
   * @param refused why it must be refused; null for none
   */
  void dispatch(@Nullable HttpFault refused) {
    fault = refused;
    exchange.dispatch(SameThreadExecutor.INSTANCE, this);
  }

  @Override
  public void run() {
    try {
      handler.handle(this, fault);
    } catch (RuntimeException | Error e) {
      LOG.error("Internal error at the beginning of a request", e);
      reset();
    }
  }

  private HttpServerConnection http1() {
    return (HttpServerConnection) exchange.getConnection();
  }

  // ---- the head of the request ----

  @Override
  public String method() {
    return exchange.getRequestMethod().toString();
  }

  @Override
  public String path() {
    var uri = exchange.getRequestURI();
    return uri.indexOf(';') < 0 ? exchange.getRequestPath() : withParameters(uri);
  }

  /** Undertow cuts path parameters off, which would make one resource of two URLs. */
  private String withParameters(String uri) {
    var from = exchange.isHostIncludedInRequestURI() ? uri.indexOf('/', uri.indexOf("//") + 2) : 0;
    return URLUtils.decode(
        from < 0 ? "/" : uri.substring(from),
        StandardCharsets.UTF_8.name(),
        false,
        false,
        new StringBuilder());
  }

  @Override
  public String query() {
    return exchange.getQueryString();
  }

  @Override
  public int targetBytes() {
    return exchange.getRequestURI().length() + exchange.getQueryString().length();
  }

  @Override
  public HeaderMap fields() {
    return exchange.getRequestHeaders();
  }

  @Override
  public long contentLength() {
    return exchange.getRequestContentLength();
  }

  @Override
  public long begunNanos() {
    return begunNanos;
  }

  // ---- the connection ----

  @Override
  public SocketAddress peer() {
    return exchange.getConnection().getPeerAddress();
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return exchange.getConnection().getSslSession();
  }

  @Override
  public Object connectionKey() {
    return exchange.getConnection();
  }

  @Override
  public boolean isHttp2() {
    return false;
  }

  @Override
  public boolean mayStayOpen() {
    return true;
  }

  @Override
  public boolean isOnThread() {
    return exchange.isInIoThread();
  }

  @Override
  public void execute(Runnable task) {
    exchange.getIoThread().execute(task);
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    var key = exchange.getIoThread().executeAfter(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return key::remove;
  }

  // ---- the body of the request ----

  @Override
  public boolean isRequestComplete() {
    return bodyRead || exchange.isRequestComplete();
  }

  @Override
  public void listen(Listener to) {
    listener = to;
    if (broken) {
      to.broken();
    }
  }

  @Override
  public void resume() {
    if (!resumed && !bodyRead && !isOver()) {
      resumed = true;
      read();
    }
  }

  @Override
  public void suspend() {
    resumed = false;
  }

  private void openBody() {
    if (!bodyOpened) {
      bodyOpened = true;
      if (exchange.getRequestHeaders().contains(Headers.TRANSFER_ENCODING)) {
        wire.chunkedBody(http1().getExtraBytes());
      } else {
        wire.fixedBody();
      }
    }
  }

  @Override
  public void sendContinue() {
    openBody();
    if (wire.broken() != null || !HttpContinue.requiresContinueResponse(exchange)) {
      return;
    }
    HttpContinue.markContinueResponseSent(exchange);
    if (http1().getExtraBytes() != null) {
      return;
    }
    try {
      if (http1().getOriginalSinkConduit().write(ByteBuffer.wrap(CONTINUE)) < CONTINUE.length) {
        lost(); // a client that has not read 25 bytes
      }
    } catch (IOException e) {
      lost();
    }
  }

  private void read() {
    if (reading || isOver()) {
      return;
    }
    reading = true;
    try {
      openBody();
      var from = source;
      if (from == null) {
        from = exchange.getRequestChannel();
        source = from;
      }
      readWhileResumed(from);
    } catch (IOException e) {
      lost();
    } catch (RuntimeException | Error e) {
      reset();
      throw e;
    } finally {
      reading = false;
    }
  }

  private void readWhileResumed(@Nullable StreamSourceChannel from) throws IOException {
    var buffer = SCRATCHES.get();
    while (resumed && !isOver()) {
      buffer.clear();
      var last = wire.broken() == null && (from == null || fill(from, buffer));
      var rule = last ? null : wire.broken();
      if (rule != null) {
        resumed = false;
        leaveUnread();
        stopWaiting(from);
        listener.malformed(rule.fault());
        return;
      }
      if (last) {
        bodyRead = true;
        resumed = false;
        stopWaiting(from);
        listener.received(buffer.flip(), true);
        return;
      }
      if (buffer.position() == 0) {
        awaitBytes(from);
        return;
      }
      listener.received(buffer.flip(), false);
    }
    if (!isOver()) { // else the channel is another's already: see ended()
      stopWaiting(from);
    }
  }

  /** Reads what is there. Returns whether that was the end. */
  private static boolean fill(StreamSourceChannel from, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      var count = from.read(buffer);
      if (count <= 0) {
        return count < 0;
      }
    }
    return false;
  }

  private void awaitBytes(@Nullable StreamSourceChannel from) {
    if (from != null && !awaitingBytes) {
      awaitingBytes = true;
      from.getReadSetter().set(ready -> read());
      from.resumeReads();
    }
  }

  private void stopWaiting(@Nullable StreamSourceChannel from) {
    if (from != null && awaitingBytes) {
      awaitingBytes = false;
      from.suspendReads();
    }
  }

  @Override
  public void leaveUnread() {
    exchange.setPersistent(false);
  }

  @Override
  public void leaveConnection() {
    exchange.setPersistent(false);
  }

  // ---- the response ----

  @Override
  public HeaderMap responseFields() {
    return exchange.getResponseHeaders();
  }

  @Override
  public void respond(int status) {
    exchange.setStatusCode(status);
    if (status >= 400) {
      exchange.setReasonPhrase(HttpFault.reason(status)); // Undertow's are those of older RFCs
    }
  }

  @Override
  public void write(ByteBuffer bytes) {
    if (isOver() || !bytes.hasRemaining()) {
      return;
    }
    queuedBytes += bytes.remaining();
    if (first == null) {
      first = bytes;
      return;
    }
    var queue = others;
    if (queue == null) {
      queue = new ArrayDeque<>(2);
      others = queue;
    }
    queue.add(bytes);
  }

  @Override
  public void end(@Nullable HeaderMap trailers) {
    ending = true;
    if (trailers != null && trailers.size() > 0) {
      hasTrailers = true;
      exchange.putAttachment(HttpAttachments.RESPONSE_TRAILERS, trailers);
    }
  }

  @Override
  public boolean mayFlush(boolean last) {
    return !last || exchange.isInIoThread();
  }

  @Override
  public boolean flush() {
    if (isOver()) {
      return true;
    }
    if (awaitingSocket) {
      return false;
    }
    if (!mayFlush(ending)) {
      throw new IllegalStateException("a response is ended on its connection's thread alone");
    }
    try {
      return push() || isOver();
    } catch (IOException e) {
      lost();
      return true;
    }
  }

  private StreamSinkChannel sink() {
    var open = sink;
    if (open == null) {
      if (handler.isDraining()) {
        exchange.setPersistent(false);
      }
      if (exchange.isHttp10() && exchange.isPersistent()) {
        // Without it, a client of HTTP/1.0 waits for the end of the connection.
        exchange.getResponseHeaders().put(Headers.CONNECTION, "keep-alive");
      }
      open = exchange.getResponseChannel();
      sink = open;
    }
    return open;
  }

  /** Writes as much as the socket takes. Returns whether that was all. */
  private boolean push() throws IOException {
    var to = sink();
    for (var next = first; next != null; next = nextBuffer()) {
      var last = ending && !hasTrailers && next.remaining() == queuedBytes;
      while (next.hasRemaining()) {
        var count = last ? to.writeFinal(next) : to.write(next);
        if (count == 0 || broken) { // a write may find that the client is gone
          return false;
        }
        queuedBytes -= count;
        sentBytes += count;
      }
    }
    if (ending && !shutDown) {
      shutDown = true;
      to.shutdownWrites();
    }
    if (!to.flush()) {
      return false;
    }
    if (ending) {
      ended();
    }
    return true;
  }

  private @Nullable ByteBuffer nextBuffer() {
    first = others == null ? null : others.poll();
    return first;
  }

  @Override
  public void keep() {
    var all = ByteBuffer.allocate(queuedBytes);
    for (var next = first; next != null; next = nextBuffer()) {
      all.put(next);
    }
    first = all.position() == 0 ? null : all.flip();
  }

  @Override
  public void awaitSent() {
    var to = sink;
    if (to != null && !isOver()) {
      awaitingSocket = true;
      to.getWriteSetter().set(ready -> pushOn());
      to.resumeWrites();
    }
  }

  /** On the connection's thread, once the socket takes bytes again. */
  private void pushOn() {
    try {
      if (!awaitingSocket || isOver() || !push()) {
        return;
      }
    } catch (IOException e) {
      lost();
      return;
    }
    awaitingSocket = false;
    if (!sent) {
      sink().suspendWrites();
    }
    listener.sent();
  }

  @Override
  public int queuedBytes() {
    return queuedBytes;
  }

  @Override
  public long sentBytes() {
    return sentBytes;
  }

  @Override
  public boolean isOver() {
    return sent || broken;
  }

  /**
   * The response has been sent. Were the connection closed while the client still sends its
   * request, its unread bytes would make the close a reset, and the response be lost: so they are
   * discarded, to their end, a bound or {@link Http2Connection#LINGER}.
   */
  private void ended() {
    sent = true;
    if (exchange.isRequestComplete()) {
      return;
    }
    lingering = after(Http2Connection.LINGER, this::close);
    if (exchange.isPersistent()) {
      discardBody();
    } else {
      discardAll();
    }
  }

  /** Discards the rest of the body, behind which another request may follow. */
  private void discardBody() {
    var from = source == null ? exchange.getRequestChannel() : source;
    if (from == null) {
      stopLingering();
      return;
    }
    from.getReadSetter().set(ready -> discardBody(from));
    discardBody(from);
  }

  private void discardBody(StreamSourceChannel from) {
    try {
      var count = discard(from);
      if (count == 0 && wire.broken() == null) {
        from.resumeReads();
      } else if (count < 0) {
        stopLingering();
      } else {
        close();
      }
    } catch (IOException e) {
      close();
    }
  }

  /** Discards all that comes, whatever it is, and then closes the connection. */
  private void discardAll() {
    http1().clearChannel();
    var channel = http1().getChannel().getSourceChannel();
    channel.getReadSetter().set(ready -> discardAll(ready));
    channel.resumeReads();
    discardAll(channel); // what is decrypted already wakes nobody
  }

  private void discardAll(StreamSourceChannel channel) {
    try {
      if (discard(null) != 0) {
        channel.suspendReads();
        close();
      }
    } catch (IOException e) {
      close();
    }
  }

  /**
   * Reads and forgets up to the bound.
   *
   * @param from null for all of the connection
   * @return 0 where more may come; -1 at the end; above at the bound
   */
  private int discard(@Nullable StreamSourceChannel from) throws IOException {
    var scratch = ByteBuffer.allocate(DISCARDED_AT_ONCE);
    while (discarded < RequestInspector.MAX_DRAINED) {
      var count = from == null ? wire.drain(scratch) : from.read(scratch.clear());
      if (count <= 0) {
        return count;
      }
      discarded += count;
    }
    return 1;
  }

  private void stopLingering() {
    var timer = lingering;
    lingering = null;
    if (timer != null) {
      timer.run(); // it would keep the stream in memory until its time
    }
  }

  // ---- the end ----

  /** The connection is gone, or of no use any more. From any thread. */
  private void lost() {
    if (isOver()) {
      return;
    }
    broken = true;
    if (isOnThread()) {
      close();
      listener.broken();
    } else {
      execute(() -> {
        close();
        listener.broken();
      });
    }
  }

  @Override
  public void reset() {
    if (isOver()) {
      return;
    }
    broken = true;
    // Undertow's connections are closed on their own thread: others would meet it in the middle.
    if (isOnThread()) {
      close();
    } else {
      execute(this::close);
    }
  }

  private void close() {
    stopLingering();
    IoUtils.safeClose(exchange.getConnection());
  }

  @Override
  public void exchangeEvent(HttpServerExchange completed, NextListener nextListener) {
    stopLingering();
    if (!isOver() && !shutDown) {
      broken = true;
      listener.broken();
    }
    if (!exchange.isUpgrade()) {
      wire.nextRequest(http1().getExtraBytes());
    }
    nextListener.proceed();
  }

  // ---- the client ----

  @Override
  public void probe() {
    if (isOnThread()) {
      look();
    } else {
      execute(this::look);
    }
  }

  private void look() {
    if (!isOver() && isRequestComplete() && wire.clientGone(http1())) {
      lost();
    }
  }

  @Override
  public void watchClient() {
    exchange.setPersistent(false); // what is read from now on is not kept apart from this request
    var channel = http1().getChannel().getSourceChannel();
    channel.setConduit(wire); // Undertow's own knows that the request is complete, and wakes nobody
    wire.setReadReadyHandler(new ReadReadyHandler.ChannelListenerHandler<>(channel));
    channel
        .getReadSetter()
        .set(ready -> {
          look();
          if (isOver() || http1().getExtraBytes() != null) {
            ready.suspendReads();
          }
        });
    channel.resumeReads();
  }

  // ---- other protocols ----

  @Override
  public boolean asksFor(String protocol) {
    var upgrade = exchange.getRequestHeaders().getFirst(Headers.UPGRADE);
    return upgrade != null
        && upgrade.equalsIgnoreCase(protocol)
        && exchange.isHttp11()
        && StrictHttp.lists(exchange, Headers.CONNECTION, "upgrade");
  }

  @Override
  public void upgrade(Consumer<StreamConnection> receiver) {
    wire.upgraded();
    sent = true;
    exchange.setStatusCode(SWITCHING_PROTOCOLS);
    exchange.upgradeChannel((connection, http) -> receiver.accept(connection));
    exchange.endExchange();
  }
}
