// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
import org.xnio.conduits.ConduitStreamSourceChannel;
import org.xnio.ssl.SslConnection;

/**
 * The server's side of an HTTP/2 connection (RFC 9113).
 *
 * <pre>
 * socket --one read--> frames --> HEADERS + CONTINUATION, complete --> {@link Http2Stream} -->
 * handler
 *                             --> DATA, RST_STREAM, WINDOW_UPDATE ---> its stream
 *                             --> SETTINGS, PING, PRIORITY, GOAWAY --> the connection
 *        &lt;--one write-- {@link FrameWriter} &lt;-- streams, round-robin while they wait
 * silence --> PING each heartbeat while there are streams --> closed after three
 * error of a stream --> RST_STREAM;  of the connection --> GOAWAY, further input is discarded
 * </pre>
 *
 * <p>Limits on the cost of a client: {@link #MAX_STREAMS} streams; one receive window of unread
 * bytes; one header block, bounded and timed; {@link #MAX_RESETS} streams that end in an error or
 * are cancelled in ten seconds; {@link #MAX_EMPTY_FRAMES} DATA frames without data; and no input is
 * read while replies to PING and SETTINGS wait for a client that does not read.
 *
 * <p>Belongs to its I/O thread, except {@link #execute}, {@link #after}, {@link #leave}, {@link
 * #leaveWhenIdle}, {@link #end} and the accessors.
 */
public final class Http2Connection {

  /** Concurrent streams; further ones are rejected with REFUSED_STREAM, and may be retried. */
  public static final int MAX_STREAMS = 1_000;

  /** Unread bytes of all streams together that a client may send. */
  public static final int CONNECTION_WINDOW = 1 << 20;

  /** The receive window of a stream: the initial value of the protocol. */
  static final int STREAM_WINDOW = 65_535;

  /** Streams that a client may cancel, or end by an error of its own, in ten seconds. */
  static final int MAX_RESETS = 1_000;

  static final int MAX_EMPTY_FRAMES = 100;

  /** How long a client may continue a request whose response was complete before its end. */
  static final Duration LINGER = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

  private static final byte[] PING = "evita...".getBytes(StandardCharsets.US_ASCII);
  private static final int SILENT_HEARTBEATS = 3;
  private static final int MAX_TURNS = 64;
  private static final int TLS_READS = 4;
  private static final int SETTING_BYTES = 6;

  /** How long input is read and discarded after a connection error. */
  private static final Duration DISCARDING = Duration.ofSeconds(2);

  private static final int MAX_DISCARDED = 1 << 20;

  private enum Phase {
    OPEN,
    /** GOAWAY with an error has been sent; input is discarded. */
    FAILED,
    CLOSED
  }

  private final StreamConnection connection;
  private final ConduitStreamSourceChannel source;
  private final Http2Options options;
  private final Consumer<Http2Stream> handler;
  private final Consumer<Http2Connection> onClose;
  private final FrameWriter writer;
  private final FrameReader reader;
  private final FrameHandler frames;
  private final HeadEncoder encoder = new HeadEncoder();
  private final Map<Integer, Http2Stream> streams = new HashMap<>();
  private final ClosedStreams ended = new ClosedStreams();
  private final Deque<Http2Stream> waiting = new ArrayDeque<>(0);
  private final int reads;
  private final long begunNanos = System.nanoTime();

  private volatile Phase phase = Phase.OPEN;
  private boolean inBurst;
  private long sendWindow = STREAM_WINDOW;
  private long initialSendWindow = STREAM_WINDOW;
  private int uncredited;
  private boolean serving;
  private long dateSecond;
  private String date = "";
  private boolean leaving;
  private boolean endsWhenIdle;
  private boolean outputEnded;
  private XnioExecutor.@Nullable Key timer;

  /** The stream of an upgrade that has not been handled yet. */
  private @Nullable Http2Stream upgraded;

  /**
   * Takes over a connection; {@link #begin} or {@link #beginUpgraded} starts reading.
   *
   * @param buffers each of at least 16,393 bytes, the largest frame
   * @param handler receives each stream once its head is complete
   * @param onClose runs once, on the connection's thread, when the connection is closed
   */
  public Http2Connection(
      StreamConnection connection,
      ByteBufferPool buffers,
      Http2Options options,
      Consumer<Http2Stream> handler,
      Consumer<Http2Connection> onClose) {
    this.connection = connection;
    this.source = connection.getSourceChannel();
    this.options = options;
    this.handler = handler;
    this.onClose = onClose;
    this.writer =
        new FrameWriter(
            connection,
            buffers,
            new FrameWriter.Owner() {
              @Override
              public void writable() {
                onWritable();
              }

              @Override
              public void writeFailed(IOException cause) {
                lost(cause);
              }
            });
    this.frames = new FrameHandler(this, writer, options);
    this.reader = new FrameReader(source, buffers, frames);
    this.reads = connection instanceof SslConnection ? TLS_READS : 1;
  }

  // ---- the beginning ----

  /**
   * Begins with the client's preface.
   *
   * @param first the bytes read of it, ready to be read from; the connection takes over the buffer.
   *     Null if none
   */
  public void begin(@Nullable PooledByteBuffer first) {
    start();
    burst(first);
  }

  /**
   * Begins as the upgrade of a request of HTTP/1.1, which becomes stream 1 (RFC 7540, section 3.2).
   *
   * @param settings the decoded {@code HTTP2-Settings}: a multiple of six bytes
   * @param begunNanos the arrival time of the request's first byte
   */
  public void beginUpgraded(
      ByteBuffer settings, Http2Head head, long begunNanos, byte @Nullable [] body) {
    start();
    var length = body == null ? 0 : body.length;
    try {
      frames.upgraded(settings, length);
    } catch (Http2Fault e) {
      fail(e);
      return;
    }
    var stream = new Http2Stream(this, 1, head, begunNanos, length, length == 0, initialSendWindow);
    streams.put(1, stream);
    upgraded = stream;
    if (length > 0) {
      var unused = stream.dataArrived(ByteBuffer.wrap(body), length, true);
    }
    burst(null);
  }

  private void start() {
    var before = connection.getCloseListener();
    connection.setCloseListener(closed -> {
      lost(null);
      ChannelListeners.invokeChannelListener(closed, before);
    });
    source.getCloseSetter().set(closed -> lost(null));
    source.setReadListener(ready -> burst(null));
    var settings = ByteBuffer.allocate(2 * SETTING_BYTES);
    setting(settings, Http2Frame.MAX_CONCURRENT_STREAMS, MAX_STREAMS);
    setting(settings, Http2Frame.MAX_HEADER_LIST_SIZE, options.maxHeaderBytes());
    writer.beginBurst();
    writer.frame(Http2Frame.SETTINGS, 0, 0, settings.flip());
    credit(CONNECTION_WINDOW - STREAM_WINDOW);
    writer.endBurst();
    look();
  }

  private static void setting(ByteBuffer to, int name, int value) {
    to.putShort((short) name).putInt(value);
  }

  // ---- accessors and threads ----

  /** The address of the client. */
  SocketAddress peer() {
    return connection.getPeerAddress();
  }

  /** The TLS session; null without TLS. */
  @Nullable SSLSession tlsSession() {
    return connection instanceof SslConnection tls ? tls.getSslSession() : null;
  }

  /** Whether the calling thread is the connection's. From any thread. */
  public boolean isOnItsThread() {
    return connection.getIoThread().equals(Thread.currentThread());
  }

  /** Runs a task on the connection's thread, soon. From any thread. */
  public void execute(Runnable task) {
    connection.getIoThread().execute(task);
  }

  /**
   * Runs a task on the connection's thread after a delay; the result cancels it. From any thread.
   */
  public Runnable after(Duration delay, Runnable task) {
    var key = connection.getIoThread().executeAfter(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return key::remove;
  }

  /** Whether it has not been closed. From any thread. */
  public boolean isOpen() {
    return phase != Phase.CLOSED;
  }

  // ---- input ----

  private void onWritable() {
    serveWaiting();
    endIfIdle();
    if (!source.isReadResumed() && !writer.isCongested() && isOpen()) {
      source.resumeReads();
    }
  }

  /**
   * Handles the available frames, and sends all replies by one write.
   *
   * @param first bytes read before; null if none
   */
  private void burst(@Nullable PooledByteBuffer first) {
    if (inBurst || phase == Phase.CLOSED) {
      return;
    }
    inBurst = true;
    writer.beginBurst();
    try {
      if (first != null) {
        reader.unread(first);
      }
      readAndHandle();
    } catch (Http2Fault e) {
      fail(e);
    } catch (IOException e) {
      lost(e);
    } catch (RuntimeException | Error e) {
      LOG.error("Internal error on an HTTP/2 connection", e);
      fail(new Http2Fault(Http2Error.INTERNAL_ERROR, ""));
    } finally {
      inBurst = false;
      serveWaiting();
      writer.endBurst();
      endIfIdle();
    }
  }

  private void readAndHandle() throws IOException, Http2Fault {
    for (int i = 0; i < reads && isOpen(); i++) {
      var count = reader.read();
      if (count < 0 || reader.discarded() > MAX_DISCARDED) {
        lost(null);
        return;
      }
      if (count == 0) {
        break;
      }
    }
    if (!isOpen()) {
      return;
    }
    handleUpgraded();
    if (writer.isCongested()) {
      source.suspendReads();
    } else {
      source.resumeReads();
    }
  }

  /**
   * Handles the request of an upgrade once the client sends HTTP/2. A response directly behind the
   * 101 would arrive before that: curl 7.88 aborts when more than 32 KiB of it arrive at once, and
   * the JDK's client occasionally takes a part of it for a frame.
   */
  private void handleUpgraded() {
    var stream = upgraded;
    if (stream != null && frames.isSettingsRead()) {
      upgraded = null;
      guarded(stream, () -> handler.accept(stream));
    }
  }

  // ---- for streams ----

  @Nullable Http2Stream stream(int number) {
    return streams.get(number);
  }

  /** The number of open streams. */
  int streams() {
    return streams.size();
  }

  ClosedStreams.End endOf(int number) {
    return ended.of(number);
  }

  boolean isLeaving() {
    return leaving;
  }

  /** The arrival time of the bytes being handled, on the clock of {@link System#nanoTime}. */
  long lastReadNanos() {
    return reader.lastReadNanos();
  }

  void open(int number, Http2Head head, long streamNanos, long length, boolean complete) {
    var stream =
        new Http2Stream(this, number, head, streamNanos, length, complete, initialSendWindow);
    streams.put(number, stream);
    guarded(stream, () -> handler.accept(stream));
  }

  /** Ends a stream that was never opened. */
  void refuse(int number, Http2Error error) {
    ended.add(number, ClosedStreams.End.RESET_BY_US);
    sendReset(number, error);
  }

  void headerTableBytes(int most) {
    encoder.tableBytes(most);
  }

  /** Sets the initial send window of streams. Returns whether all stay within the range. */
  boolean initialSendWindow(long value) {
    var change = value - initialSendWindow;
    initialSendWindow = value;
    var possible = true;
    for (var stream : streams.values()) {
      possible = possible && stream.widen(change);
    }
    return possible;
  }

  /** Widens the send window of the connection. Returns whether it stays within the range. */
  boolean widen(int increment) {
    sendWindow += increment;
    return sendWindow <= Integer.MAX_VALUE;
  }

  /** Runs a part of a stream's work; an exception ends only that stream. */
  void guarded(Http2Stream stream, Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      LOG.error("Internal error on an HTTP/2 stream", e);
      stream.reset(Http2Error.INTERNAL_ERROR);
    }
  }

  boolean canWrite() {
    return writer.isOpen();
  }

  long sendWindow() {
    return sendWindow;
  }

  void sendHead(int number, int status, HeaderMap fields, boolean end) {
    if (status >= 200) {
      fields.put(Headers.DATE, date()); // RFC 9110, section 6.6.1
    }
    writer.headers(number, encoder.head(status, fields), end);
  }

  private String date() {
    var second = System.currentTimeMillis() / 1_000;
    if (second != dateSecond) {
      dateSecond = second;
      date = HttpDate.of(Instant.ofEpochSecond(second));
    }
    return date;
  }

  void sendTrailers(int number, HeaderMap fields) {
    writer.headers(number, encoder.trailers(fields), true);
  }

  void sendData(int number, ByteBuffer bytes, int length, boolean end) {
    sendWindow -= length;
    writer.data(number, bytes, length, end);
  }

  void sendReset(int number, Http2Error error) {
    writer.number(Http2Frame.RST_STREAM, number, error.code());
  }

  void windowUpdate(int number, int bytes) {
    writer.number(Http2Frame.WINDOW_UPDATE, number, bytes);
  }

  /** Returns bytes of the connection's receive window. */
  void credit(int bytes) {
    uncredited += bytes;
    if (uncredited >= CONNECTION_WINDOW / 2) {
      frames.credited(uncredited);
      windowUpdate(0, uncredited);
      uncredited = 0;
    }
  }

  void awaitTurn(Http2Stream stream) {
    waiting.add(stream);
  }

  /** Lets waiting streams send one frame each, round-robin, as long as something can be sent. */
  private void serveWaiting() {
    if (serving || waiting.isEmpty()) {
      return;
    }
    serving = true;
    try {
      var turns = Math.max(waiting.size(), MAX_TURNS);
      for (int i = 0; i < turns && writer.isOpen(); i++) {
        var next = waiting.poll();
        if (next == null) {
          return;
        }
        guarded(next, next::turn);
      }
      if (!waiting.isEmpty() && writer.isOpen() && sendWindow > 0) {
        execute(this::serveWaiting); // lets other tasks run first
      }
    } finally {
      serving = false;
    }
  }

  /** Both sides of the stream are complete. */
  void completed(Http2Stream stream) {
    closed(stream, ClosedStreams.End.COMPLETE);
  }

  void closed(Http2Stream stream, ClosedStreams.End how) {
    if (streams.remove(stream.number(), stream)) {
      ended.add(stream.number(), how);
      if (!inBurst) {
        endIfIdle();
      }
    }
  }

  // ---- the end ----

  /** Announces that no new stream is accepted; open ones continue. From any thread. Idempotent. */
  public void leave() {
    execute(this::sendGoAway);
  }

  private void sendGoAway() {
    if (!leaving && isOpen() && phase != Phase.FAILED) {
      leaving = true;
      goAway(Http2Error.NO_ERROR, "");
    }
  }

  /** Like {@link #leave}, and ends the connection once its streams have ended. */
  public void leaveWhenIdle() {
    execute(() -> {
      endsWhenIdle = true;
      sendGoAway();
      endIfIdle();
    });
  }

  private void endIfIdle() {
    if (endsWhenIdle && streams.isEmpty()) {
      endOutput();
    }
  }

  /**
   * Ends the output once no bytes wait for the socket; the client then closes the connection. If
   * the server closed it, and the client had just sent something, its system might discard the end
   * of a response that it has not read yet. From any thread; no effect while bytes wait.
   */
  public void end() {
    execute(this::endOutput);
  }

  private void endOutput() {
    writer.push();
    if (!outputEnded && isOpen() && phase != Phase.FAILED && writer.isDrained()) {
      shutdownOutput();
    }
  }

  private void shutdownOutput() {
    outputEnded = true;
    try {
      writer.shutdown();
    } catch (IOException e) {
      lost(e);
    }
  }

  private void goAway(Http2Error error, String message) {
    var payload = ByteBuffer.allocate(2 * Integer.BYTES + message.length());
    payload.putInt(frames.newestAccepted()).putInt(error.code());
    payload.put(message.getBytes(StandardCharsets.US_ASCII));
    writer.frame(Http2Frame.GOAWAY, 0, 0, payload.flip());
  }

  /** Ends the connection after an error of the client: sends GOAWAY, then discards input. */
  private void fail(Http2Fault fault) {
    if (phase == Phase.FAILED || phase == Phase.CLOSED) {
      return;
    }
    LOG.debug("HTTP/2 connection error {}: {}", fault.error(), fault.getMessage());
    phase = Phase.FAILED;
    reader.discard();
    goAway(fault.error(), String.valueOf(fault.getMessage()));
    breakStreams();
    writer.push();
    if (phase == Phase.FAILED) {
      shutdownOutput();
    }
    if (phase == Phase.FAILED) {
      after(DISCARDING, () -> lost(null));
      source.resumeReads();
    }
  }

  private void breakStreams() {
    for (var stream : List.copyOf(streams.values())) {
      guarded(stream, () -> stream.close(ClosedStreams.End.RESET_BY_US));
    }
    waiting.clear();
  }

  /** The connection is lost, or must be closed. Idempotent. */
  private void lost(@Nullable IOException cause) {
    if (phase == Phase.CLOSED) {
      return;
    }
    if (cause != null) {
      LOG.debug("HTTP/2 connection lost", cause);
    }
    phase = Phase.CLOSED;
    var look = timer;
    timer = null;
    if (look != null) {
      look.remove(); // it would keep the connection in memory until it fires
    }
    reader.close();
    writer.close();
    breakStreams();
    IoUtils.safeClose(connection);
    onClose.accept(this);
  }

  /** Pings a silent client while it waits for something; else silence ends the connection. */
  private void look() {
    if (!isOpen()) {
      return;
    }
    var now = System.nanoTime();
    var heartbeat = options.heartbeat().toNanos();
    var silent = now - reader.lastReadNanos();
    if (now - begunOrHeadNanos(now) > options.headTimeout().toNanos()
        || silent > allowedSilence(heartbeat)) {
      lost(null);
      return;
    }
    if (silent >= heartbeat && !streams.isEmpty()) {
      writer.frame(Http2Frame.PING, 0, 0, ByteBuffer.wrap(PING));
    }
    var next = Math.max(heartbeat - silent, heartbeat / 2);
    timer = connection.getIoThread().executeAfter(this::look, next, TimeUnit.NANOSECONDS);
  }

  /** The start of the incomplete preface or header block, which is timed; else now. */
  private long begunOrHeadNanos(long now) {
    return frames.headBegunNanos(frames.isSettingsRead() ? now : begunNanos);
  }

  private long allowedSilence(long heartbeat) {
    return streams.isEmpty()
        ? Math.max(options.idleTimeout().toNanos(), options.headTimeout().toNanos())
        : SILENT_HEARTBEATS * heartbeat;
  }
}
