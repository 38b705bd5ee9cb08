// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.server.Connectors;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.Protocols;
import io.undertow.util.URLUtils;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.ReadReadyHandler;

/**
 * An exchange over a socket.
 *
 * <pre>
 *   run: head is parsed --> READING (body; waits for the socket without a thread)
 *        --> HANDLING (the server's; this I/O thread or a worker)
 *        --> WRITING (what the socket does not take is kept in {@code unsent}) --> ended
 * </pre>
 *
 * <p>It runs as a task that Undertow dispatched to the same I/O thread: so Undertow never ends the
 * exchange by itself, and whether an answer comes at once or later makes no difference.
 */
final class UndertowExchange extends Exchange implements Runnable, ExchangeCompletionListener {

  private static final int SCRATCH = 16 << 10;
  private static final int SMALLEST = 1 << 10;
  private static final int MAX_SHOWN = 100;

  /** How often HTTP/2 has to be asked whether all has left. */
  private static final int FLUSHES = 3;

  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final ThreadLocal<byte[]> SCRATCHES =
      ThreadLocal.withInitial(() -> new byte[SCRATCH]);

  private final ClientConnection connection;
  private final HttpListener listener;
  private final ExternalApiServer server;
  private final HttpServerExchange exchange;
  private final @Nullable RequestWire wire;
  private final StrictHttp.@Nullable Rule broken;
  private final @Nullable EvitaException refusal;
  private final @Nullable Http2Connection http2;
  private final int stream;
  private RequestBody body = RequestBody.EMPTY;
  private @Nullable StreamSourceChannel source;
  private @Nullable StreamSinkChannel sink;
  private @Nullable ByteBuffer unsent;
  private volatile @Nullable BodyEncoder encoder;
  private boolean last;
  private volatile boolean committed;
  private volatile boolean reading;
  private boolean bodyKept;
  private @Nullable Duplex duplex;

  /**
   * Of HTTP/1.
   *
   * @param wire what the request comes in by
   * @param broken the rule that its head breaks; null for none
   * @param refusal why its head alone is reason to refuse it; null where it is not
   * @param begunNanos when its first byte came, on the clock of {@link System#nanoTime}
   */
  UndertowExchange(
      ClientConnection connection,
      HttpServerExchange exchange,
      RequestWire wire,
      StrictHttp.@Nullable Rule broken,
      @Nullable EvitaException refusal,
      long begunNanos) {
    super(
        connection.listener().server().dispatcher(),
        connection.listener().server().dispatcher().deadline(begunNanos));
    this.connection = connection;
    this.listener = connection.listener();
    this.server = listener.server();
    this.exchange = exchange;
    this.wire = wire;
    this.broken = broken;
    this.refusal = refusal;
    this.http2 = null;
    this.stream = 0;
  }

  /** Of HTTP/2, on the stream that has just begun. */
  UndertowExchange(
      ClientConnection connection,
      HttpServerExchange exchange,
      Http2Connection http2,
      @Nullable EvitaException refusal) {
    super(
        connection.listener().server().dispatcher(),
        connection.listener().server().dispatcher().deadline(http2.begunNanos()));
    this.connection = connection;
    this.listener = connection.listener();
    this.server = listener.server();
    this.exchange = exchange;
    this.wire = null;
    this.broken = null;
    this.refusal = refusal;
    this.http2 = http2;
    this.stream = http2.opened(this);
  }

  // ---- the request ----

  @Override
  public void run() {
    dispatcher().begun();
    exchange.addExchangeCompleteListener(this);
    try {
      if (broken != null) {
        refuse(broken);
        return;
      }
      var refused = refusal == null ? connection.refusal(method(), path()) : refusal;
      if (refused != null) {
        refuse(refused);
        return;
      }
      requireShortUrl();
      var streaming = listener.streaming(this);
      if (streaming != null) {
        open(streaming);
      } else if (exchange.isRequestComplete()) {
        listener.accept(this);
      } else {
        readBody();
      }
    } catch (IOException e) {
      clientGone();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /** The connection cannot be trusted for another request, nor the rest of this one. */
  private void refuse(StrictHttp.Rule rule) {
    exchange.setPersistent(false);
    if (Protocols.HTTP_0_9.equals(exchange.getProtocol())) {
      exchange.setProtocol(Protocols.HTTP_1_1); // an answer of 0.9 would have no status line
    }
    Problems.answer(this, rule.status(), rule.problem());
  }

  /** Nothing but its head is read; where its API has a form of its own for failures, in that. */
  private void refuse(EvitaException problem) {
    exchange.setPersistent(false);
    if (http2 != null && problem.code() == ErrorCode.TOO_MANY_CONNECTIONS) {
      http2.leaveAndEnd();
    }
    var streaming = listener.streaming(this);
    if (streaming == null || (wire != null && !streaming.dialect().forPages())) {
      var unused = listener.identify(this);
      fail(problem);
      return;
    }
    expectBody();
    openEnd();
    duplex = new Duplex(this, exchange);
    streaming.api().refuse(duplex, problem);
  }

  private void requireShortUrl() {
    var length = exchange.getRequestURI().length() + exchange.getQueryString().length();
    if (length > limits().maxUrlBytes()) {
      exchange.setPersistent(false);
      var unused = listener.identify(this);
      throw new EvitaException(
          ErrorCode.URL_TOO_LONG,
          "The URL has "
              + length
              + " bytes; at most "
              + limits().maxUrlBytes()
              + " are allowed (max-url-bytes)");
    }
  }

  private void open(Router.Streaming streaming) throws IOException {
    var dialect = streaming.dialect();
    if (dialect.forPages() && !ownPage()) {
      exchange.setPersistent(false); // the body stays unread
      throw foreignPage();
    }
    if (wire != null && dialect.forPages()) {
      expectBody();
      if (refusedBody()) {
        return;
      }
      continueIfAsked();
    } else if (wire != null) {
      exchange.setPersistent(false); // the body stays unread
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION, dialect.mediaType() + " needs HTTP/2; this is HTTP/1.1");
    }
    openEnd();
    duplex = new Duplex(this, exchange);
    streaming.api().open(duplex);
  }

  /** The head of a call's answer is to leave. */
  void commitDuplex() {
    var cors = server.cors();
    if (cors != null) {
      cors.answerWithAll(exchange.getRequestHeaders(), exchange.getResponseHeaders());
    }
    keepOnlyIfServing();
    committed = true;
  }

  private void keepOnlyIfServing() {
    if (wire != null && listener.draining()) {
      exchange.setPersistent(false);
    }
    if (exchange.isHttp10() && exchange.isPersistent()) {
      // Without it, a client of HTTP/1.0 waits for the end of the connection.
      exchange.getResponseHeaders().put(Headers.CONNECTION, "keep-alive");
    }
  }

  /** When its first byte came, on the clock of {@link System#nanoTime}. */
  long begunNanos() {
    return deadlineNanos() - limits().requestTimeout().toNanos();
  }

  /** Whether its frames are those of HTTP/2. */
  boolean ofHttp2() {
    return wire == null;
  }

  private void readBody() throws IOException {
    var unwanted = listener.identify(this);
    requirePlainBody();
    if (exchange.getRequestContentLength() > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    expectBody();
    if (refusedBody()) {
      return;
    }
    if (unwanted == null) {
      continueIfAsked();
    }
    var channel = exchange.getRequestChannel();
    source = channel;
    if (channel == null) {
      listener.accept(this);
      return;
    }
    var scratch = ByteBuffer.wrap(SCRATCHES.get());
    if (read(channel, scratch)) {
      complete(scratch);
    } else if (refusedBody()) {
      return;
    } else if (unwanted != null) {
      exchange.setPersistent(false); // the rest of the body stays unread
      fail(unwanted);
    } else {
      // The rest comes later: this thread's scratch is needed by others until then.
      awaitBody(channel, grow(scratch));
    }
  }

  /** Nothing is decompressed here: a short body could become an endless one. */
  private void requirePlainBody() {
    var codings = exchange.getRequestHeaders().get(Headers.CONTENT_ENCODING);
    if (codings == null) {
      return;
    }
    for (var coding : codings) {
      if (!coding.equalsIgnoreCase("identity")) {
        exchange.setPersistent(false); // the body stays unread
        responseHeader("Accept-Encoding", "identity");
        throw new EvitaException(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "The body's Content-Encoding is '"
                + coding.substring(0, Math.min(coding.length(), MAX_SHOWN))
                + "'; expected identity, or none");
      }
    }
  }

  private void expectBody() {
    if (wire == null) {
      return;
    }
    if (exchange.getRequestHeaders().contains(Headers.TRANSFER_ENCODING)) {
      wire.chunkedBody(((HttpServerConnection) exchange.getConnection()).getExtraBytes());
    } else {
      wire.fixedBody();
    }
  }

  /** The client waits for our word before it sends its body (RFC 9110, section 10.1.1). */
  private void continueIfAsked() throws IOException {
    if (!HttpContinue.requiresContinueResponse(exchange)) {
      return;
    }
    if (wire == null) {
      HttpContinue.createResponseSender(exchange).send();
      return;
    }
    HttpContinue.markContinueResponseSent(exchange);
    var http1 = (HttpServerConnection) exchange.getConnection();
    if (http1.getExtraBytes() == null
        && http1.getOriginalSinkConduit().write(ByteBuffer.wrap(CONTINUE)) < CONTINUE.length) {
      throw new IOException("the socket takes no interim response");
    }
  }

  /** Answers whether what has come of the body breaks a rule: then it is answered already. */
  boolean refusedBody() {
    var rule = wire == null ? null : wire.broken();
    if (rule == null) {
      return false;
    }
    refuse(rule);
    return true;
  }

  /** Reads what is there. Answers whether that was all. */
  private static boolean read(StreamSourceChannel channel, ByteBuffer buffer) throws IOException {
    while (true) {
      var count = channel.read(buffer);
      if (count == -1) {
        return true;
      }
      if (count == 0) {
        return false;
      }
    }
  }

  private void awaitBody(StreamSourceChannel channel, ByteBuffer first) {
    reading = true;
    dispatcher().watch(this);
    var holder = new ByteBuffer[] {first};
    channel
        .getReadSetter()
        .set(ready -> {
          try {
            if (!reading) {
              ready.suspendReads();
            } else if (readOn(ready, holder)) {
              reading = false;
              ready.suspendReads();
              complete(holder[0]);
            } else if (refusedBody()) {
              reading = false;
            }
          } catch (IOException e) {
            reading = false;
            clientGone();
          } catch (Throwable failure) {
            reading = false;
            ready.suspendReads();
            fail(failure);
          }
        });
    channel.resumeReads();
  }

  private boolean readOn(StreamSourceChannel channel, ByteBuffer[] holder) throws IOException {
    while (!read(channel, holder[0])) {
      if (holder[0].hasRemaining()) {
        return false;
      }
      holder[0] = grow(holder[0]);
    }
    return true;
  }

  private ByteBuffer grow(ByteBuffer full) {
    if (full.position() > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    // By what has come, not by what was announced: an announcement costs a client nothing.
    var twice = Math.max(full.position() * 2L, SMALLEST);
    var larger = (int) Math.min(twice, limits().maxBodyBytes() + 1L);
    return ByteBuffer.allocate(larger).put(full.flip());
  }

  private void complete(ByteBuffer buffer) {
    if (buffer.position() > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    body = new RequestBody(bytes(buffer), buffer.position());
    listener.accept(this);
  }

  @SuppressWarnings("ByteBufferBackingArray") // all of ours are wrapped or allocated from offset 0
  private static byte[] bytes(ByteBuffer buffer) {
    return buffer.array();
  }

  private EvitaException tooLarge() {
    // The rest of the body stays unread, so the connection cannot carry another request.
    exchange.setPersistent(false);
    return new EvitaException(
        ErrorCode.BODY_TOO_LARGE,
        "The body is too large; at most "
            + limits().maxBodyBytes()
            + " bytes are allowed (max-body-bytes)");
  }

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
  public @Nullable String queryParameter(String name) {
    var values = exchange.getQueryParameters().get(name);
    return values == null ? null : values.peekFirst();
  }

  @Override
  public @Nullable String header(String name) {
    var values = exchange.getRequestHeaders().get(name);
    if (values == null) {
      return null;
    }
    return values.size() == 1 ? values.getFirst() : String.join(", ", values);
  }

  @Override
  public RequestBody body() {
    return body;
  }

  /** Its bytes may be this I/O thread's scratch, which the next request overwrites. */
  @Override
  synchronized void keepBody() {
    if (!bodyKept) {
      bodyKept = true;
      body = body.copy();
    }
  }

  @Override
  boolean arriveAgain() {
    server.acceptAgain(this, this::onIoThread);
    return true;
  }

  // ---- the answer ----

  @Override
  public void responseHeader(String name, @Nullable String value) {
    if (value == null) {
      exchange.getResponseHeaders().remove(name);
    } else {
      exchange.getResponseHeaders().put(HttpString.tryFromString(name), value);
    }
  }

  @Override
  void start(int status, String contentType) {
    exchange.setStatusCode(status);
    if (status >= 400 && wire != null) {
      exchange.setReasonPhrase(Problems.title(status)); // Undertow's are those of older RFCs
    }
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, contentType);
  }

  @Override
  boolean committed() {
    return committed;
  }

  @Override
  boolean write(byte[] bytes, int length, boolean lastBytes) {
    if (ended()) {
      return true;
    }
    try {
      if (sink == null) {
        finishHead(lastBytes ? length : -1);
      }
      var encoding = encoder;
      var piece =
          encoding == null
              ? ByteBuffer.wrap(bytes, 0, length)
              : encoding.encode(bytes, length, lastBytes);
      var channel = channel(piece.remaining(), lastBytes);
      last = lastBytes;
      if (!mayPush()) {
        unsent = encoding == null ? copy(piece) : piece;
        return false;
      }
      var all = push(channel, piece, encoding == null);
      if (ended()) {
        closeEncoder(); // whoever ended it may have come before there was one
      }
      return all;
    } catch (IOException e) {
      clientGone();
      return true;
    }
  }

  /** Of an answer of which nothing has left yet. */
  private void finishHead(int length) {
    var cors = server.cors();
    if (cors != null) {
      var options = Methods.OPTIONS.equals(exchange.getRequestMethod());
      cors.answer(options, exchange.getRequestHeaders(), exchange.getResponseHeaders());
    }
    var compression = server.compression();
    if (compression != null) {
      encoder =
          compression.start(
              exchange.getStatusCode(),
              length,
              exchange.getRequestHeaders(),
              exchange.getResponseHeaders());
    }
  }

  private StreamSinkChannel channel(int length, boolean complete) {
    var open = sink;
    if (open == null) {
      keepOnlyIfServing();
      if (complete && !bodiless(exchange.getStatusCode())) {
        exchange.setResponseContentLength(length);
      }
      committed = true;
      open = exchange.getResponseChannel();
      sink = open;
    }
    return open;
  }

  /** Of these, a length would be that of another answer (RFC 9110, section 8.6). */
  private static boolean bodiless(int status) {
    return status == 204 || status == 304;
  }

  /**
   * Whether this thread may write to the socket what is written now.
   *
   * <p>On HTTP/2, the connection's own alone: Undertow frees a stream's buffer there when the
   * client resets it, and whoever else is writing to it just then writes into what is another
   * connection's by now.
   *
   * <p>On HTTP/1, the last bytes alone are for that thread: they end the exchange, and Undertow
   * waits for another thread that does so by spinning ({@code HttpReadListener.handleEvent}). Where
   * it has preempted the one that it waits for, that is for the rest of its time slice.
   */
  private boolean mayPush() {
    return exchange.isInIoThread() || (wire != null && !last);
  }

  /** Writes as much as the socket takes. Answers whether that was all. */
  private boolean push(StreamSinkChannel channel, ByteBuffer bytes, boolean copyRest)
      throws IOException {
    while (bytes.hasRemaining()) {
      var count = last ? channel.writeFinal(bytes) : channel.write(bytes);
      if (count == 0) {
        unsent = copyRest ? copy(bytes) : bytes;
        return false;
      }
    }
    unsent = null;
    if (last) {
      channel.shutdownWrites();
    }
    var all = flush(channel);
    if (all && last && !exchange.isRequestComplete()) {
      linger();
    }
    return all;
  }

  /** Flushes an answer, and answers whether all has left. */
  boolean flush(StreamSinkChannel channel) throws IOException {
    return wire == null ? flushFrames(channel) : channel.flush();
  }

  /**
   * Flushes a stream of HTTP/2, and answers whether all has left.
   *
   * <p>Undertow's {@code flush} may answer true too early. What the largest frame does not hold,
   * and then what the client's window does not let pass, it keeps, and sends it when it is asked
   * again; so it takes {@link #FLUSHES} to know, the last of which finds the window closed or
   * nothing left.
   */
  private static boolean flushFrames(StreamSinkChannel channel) throws IOException {
    var all = true;
    for (int i = 0; i < FLUSHES && all; i++) {
      all = channel.flush();
    }
    return all;
  }

  /**
   * The answer has left before all of the request was read. Were the connection closed now, the
   * client's unread bytes would make it a reset, and the answer be lost. So they are read and
   * forgotten: to their end, to a bound, or to the deadline.
   */
  private void linger() {
    dispatcher().watch(this);
    var channel = lingering();
    if (channel == null) {
      abort();
      return;
    }
    var drain = new Drain();
    channel.getReadSetter().set(drain);
    channel.resumeReads();
    drain.handleEvent(channel); // what is decrypted already wakes nobody
  }

  private @Nullable StreamSourceChannel lingering() {
    if (wire == null) {
      return source == null ? exchange.getRequestChannel() : source;
    }
    var http1 = (HttpServerConnection) exchange.getConnection();
    http1.clearChannel();
    return http1.getChannel().getSourceChannel();
  }

  /** Reads and forgets, then closes the connection (or resets the stream). */
  private final class Drain implements ChannelListener<StreamSourceChannel> {

    private final ByteBuffer scratch = ByteBuffer.allocate(SMALLEST);
    private int drained;

    @Override
    public void handleEvent(StreamSourceChannel channel) {
      try {
        int count;
        while ((count = read(channel)) > 0 && drained < RequestWire.MAX_DRAINED) {
          drained += count;
        }
        if (count != 0) {
          channel.suspendReads();
        }
        // A stream that has ended ends the exchange by itself, and a client takes a reset amiss.
        if (count > 0 || (count < 0 && wire != null)) {
          abort();
        }
      } catch (IOException e) {
        abort();
      }
    }

    private int read(StreamSourceChannel channel) throws IOException {
      if (wire != null) {
        return wire.drain(scratch);
      }
      scratch.clear();
      return channel.read(scratch);
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    var copy = ByteBuffer.allocate(bytes.remaining());
    copy.put(bytes);
    return copy.flip();
  }

  @Override
  void awaitDrain() {
    var channel = sink;
    if (channel == null || ended()) {
      return;
    }
    dispatcher().watch(this);
    if (mayPush()) {
      pushWhenReady(channel);
    } else {
      onIoThread(() -> pushNow(channel));
    }
  }

  private void pushWhenReady(StreamSinkChannel channel) {
    channel.getWriteSetter().set(this::pushOn);
    channel.resumeWrites();
  }

  private void pushNow(StreamSinkChannel channel) {
    if (!ended() && !pushRest(channel)) {
      pushWhenReady(channel);
    }
  }

  private void pushOn(StreamSinkChannel channel) {
    var unused = pushRest(channel);
  }

  /** Answers whether nothing is left to be pushed. */
  private boolean pushRest(StreamSinkChannel channel) {
    try {
      var rest = unsent;
      if (!push(channel, rest == null ? ByteBuffer.allocate(0) : rest, false)) {
        return false;
      }
      channel.suspendWrites();
      if (!last) {
        drained();
      }
    } catch (IOException e) {
      clientGone();
    }
    return true;
  }

  private void clientGone() {
    abort();
    expire(ErrorCode.CLIENT_GONE);
  }

  /** Where its body did not come in time, it can be told so. */
  @Override
  void lapse() {
    if (!reading) {
      abort();
      return;
    }
    onIoThread(() -> {
      if (reading) {
        reading = false;
        exchange.setPersistent(false);
        fail(
            new EvitaException(
                ErrorCode.REQUEST_TIMEOUT,
                "The body did not arrive within the time allowed (request-timeout)"));
      }
    });
  }

  @Override
  void probe() {
    if (!reading && sink == null) {
      onIoThread(this::expireIfGone);
    }
  }

  private void expireIfGone() {
    // The monitor that markEnded takes: what is read here must be seen by whoever ends the exchange
    // on a worker, or the next request would wait for bytes that are here already.
    boolean gone;
    synchronized (this) {
      gone = !ended() && clientIsGone();
    }
    if (gone) {
      expire(ErrorCode.CLIENT_GONE);
    }
  }

  /** On the connection's thread. */
  boolean clientIsGone() {
    return wire == null
        ? !exchange.getConnection().isOpen() || !Connectors.getConduitSinkChannel(exchange).isOpen()
        : wire.clientGone((HttpServerConnection) exchange.getConnection());
  }

  private void onIoThread(Runnable task) {
    exchange.getConnection().getIoThread().execute(task);
  }

  @Override
  public void requireOwnPage() {
    if (!ownPage()) {
      throw foreignPage();
    }
  }

  private boolean ownPage() {
    return Cors.allowsChange(server.cors(), exchange.getRequestHeaders());
  }

  private static EvitaException foreignPage() {
    return new EvitaException(
        ErrorCode.ORIGIN_NOT_ALLOWED,
        "Pages of other origins may not change anything here; name theirs in cors-origins");
  }

  // ---- connections that stay open ----

  @Override
  public boolean wantsWebSocket() {
    return wire != null && WebSocketUpgrade.asked(exchange);
  }

  @Override
  public void upgrade(Set<String> protocols, Function<WebSocket, WebSocketListener> opened) {
    if (wire == null) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION, "A WebSocket needs HTTP/1.1; take another connection");
    }
    if (!Cors.allowsSocket(server.cors(), exchange.getRequestHeaders())) {
      throw new EvitaException(
          ErrorCode.ORIGIN_NOT_ALLOWED,
          "Pages of other origins may not open WebSockets here; name theirs in cors-origins");
    }
    WebSocketUpgrade.upgrade(this, exchange, wire, protocols, opened);
  }

  @Override
  Object client() {
    return http2 == null ? this : http2;
  }

  @Override
  Outlets outlets() {
    return server.outlets();
  }

  @Override
  void onThread(Runnable task) {
    onIoThread(task);
  }

  @Override
  void afterwards(Duration delay, Runnable task) {
    var unused = exchange.getIoThread().executeAfter(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  void watchClient() {
    if (wire == null) {
      return; // the connection tells
    }
    exchange.setPersistent(false); // what is read from now on is not kept apart from this request
    var http1 = (HttpServerConnection) exchange.getConnection();
    var channel = http1.getChannel().getSourceChannel();
    channel.setConduit(wire); // Undertow's own knows that the request is complete, and wakes nobody
    wire.setReadReadyHandler(new ReadReadyHandler.ChannelListenerHandler<>(channel));
    channel
        .getReadSetter()
        .set(ready -> {
          expireIfGone();
          if (ended() || http1.getExtraBytes() != null) {
            ready.suspendReads();
          }
        });
    channel.resumeReads();
  }

  /** The client has reset the stream, or the connection is lost. On its thread. */
  void streamLost() {
    if (duplex != null) {
      duplex.breakOff();
    } else if (!ended()) {
      clientGone();
    }
  }

  /** What has come of the request and is not read will never be: its place in the window is. */
  void forgetRequest() {
    if (duplex != null) {
      duplex.forgetRequest();
    }
  }

  @Override
  void abort() {
    committed = true;
    // Undertow's connections are closed on their own thread: others would meet it in the middle.
    if (exchange.isInIoThread()) {
      close();
    } else {
      onIoThread(this::close);
    }
    over();
  }

  private void over() {
    markEnded();
    closeEncoder();
  }

  private void closeEncoder() {
    var encoding = encoder;
    if (encoding != null) {
      encoding.close();
    }
  }

  private void close() {
    if (http2 == null) {
      IoUtils.safeClose(exchange.getConnection());
    } else {
      http2.sendRstStream(stream, Http2Channel.ERROR_CANCEL);
      http2.ended(stream);
    }
  }

  @Override
  public void exchangeEvent(HttpServerExchange completed, NextListener nextListener) {
    over();
    if (http2 != null) {
      http2.ended(stream);
    }
    if (duplex != null) {
      duplex.ended();
    }
    if (wire != null && !exchange.isUpgrade()) {
      wire.nextRequest(((HttpServerConnection) exchange.getConnection()).getExtraBytes());
    }
    nextListener.proceed();
  }
}
