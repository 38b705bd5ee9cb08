// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitReadableByteChannel;
import org.xnio.conduits.Conduits;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * Inspects the input of one connection before Undertow's parser.
 *
 * <pre>
 * REQUEST_LINE --LF--> FIELDS --handler called--> PASSING --body to read--> FIXED | CHUNKED
 *      ^                 | larger than allowed       |                        |
 *      |                 v                           |                        |
 *      |               REFUSED                       |--101--> UPGRADED       |
 *      '-------------- response complete ------------'------------------------'
 * </pre>
 *
 * <p>It records what Undertow drops (an unknown version, which it takes for 1.1) or never checks
 * (the framing of chunks, a truncated body) and holds invalid bytes back, so that the handler can
 * respond before Undertow closes the connection without a response. Only the request line is
 * inspected byte by byte; of the fields, only the ends and beginnings of lines.
 *
 * <p>Belongs to the connection's I/O thread, and to the thread that ends an exchange at that
 * moment.
 */
final class RequestInspector extends AbstractStreamSourceConduit<StreamSourceConduit> {

  /** {@code HTTP/1.1} and other versions, as eight bytes. */
  private static final long HTTP_1_1 = version("HTTP/1.1");

  private static final long HTTP_1_0 = version("HTTP/1.0");

  /** The limit of discarded input, in bytes; beyond it the connection is closed. */
  static final int MAX_DRAINED = 1 << 20;

  private static final int STATUS_LINE_BYTES = 32;
  private static final int DISCARDED_AT_ONCE = 4_096;
  private static final Duration MAX_DISCARD_TIME = Duration.ofSeconds(2);

  private enum Phase {
    REQUEST_LINE,
    FIELDS,
    PASSING,
    FIXED,
    CHUNKED,
    REFUSED,
    UPGRADED
  }

  private final StreamConnection connection;
  private final StreamSinkConduit socket;
  private final int maxHeaderBytes;
  private final ClientConnection client;
  private Phase phase = Phase.REQUEST_LINE;
  private long lastEight;
  private boolean versionKnown;
  private boolean folded;
  private boolean lineBegins;
  private boolean lastLine;
  private boolean headEnded;
  private boolean begun;
  private boolean lineFeedDue;
  private int lines;
  private int headBytes;
  private long begunNanos;
  private @Nullable ChunkFraming chunks;
  private StrictHttp.@Nullable Rule broken;

  RequestInspector(StreamConnection connection, int maxHeaderBytes, ClientConnection client) {
    super(connection.getSourceChannel().getConduit());
    this.connection = connection;
    this.socket = connection.getSinkChannel().getConduit();
    this.maxHeaderBytes = maxHeaderBytes;
    this.client = client;
  }

  private static long version(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)).getLong();
  }

  /** The inspector below an exchange of HTTP/1. */
  static RequestInspector of(HttpServerExchange exchange) {
    var http1 = (HttpServerConnection) exchange.getConnection();
    return (RequestInspector) http1.getOriginalSourceConduit();
  }

  ClientConnection client() {
    return client;
  }

  // ---- called by the handler ----

  /** The head is parsed: a body follows, or nothing until the response is complete. */
  void headRead() {
    phase = Phase.PASSING;
  }

  /** The number of bytes since the end of the last request; the head is at most this large. */
  int headBytes() {
    return headBytes;
  }

  /** The arrival time of the request's first byte, on the clock of {@link System#nanoTime}. */
  long begunNanos() {
    return begunNanos;
  }

  /** Whether the request line named HTTP/1.0 or HTTP/1.1. */
  boolean versionKnown() {
    return versionKnown;
  }

  /** Whether a line of the fields began with a space or a tab. */
  boolean folded() {
    return folded;
  }

  /** A body of known length begins. */
  void fixedBody() {
    phase = Phase.FIXED;
  }

  /**
   * A chunked body begins.
   *
   * @param buffered the part of it that arrived together with the head
   */
  void chunkedBody(@Nullable PooledByteBuffer buffered) {
    phase = Phase.CHUNKED;
    var framing = new ChunkFraming();
    chunks = framing;
    if (buffered != null) {
      var bytes = buffered.getBuffer();
      framing.check(bytes, bytes.position(), bytes.limit());
      if (framing.broken()) {
        broken = StrictHttp.Rule.CHUNK;
      }
    }
  }

  /** The rule that the body violates; null if none so far. */
  StrictHttp.@Nullable Rule broken() {
    return broken;
  }

  /**
   * The response is complete: another head may follow.
   *
   * @param buffered the part of it that has arrived already
   */
  void nextRequest(@Nullable PooledByteBuffer buffered) {
    phase = Phase.REQUEST_LINE;
    headBytes = 0;
    folded = false;
    lineBegins = false;
    lastLine = false;
    headEnded = false;
    begun = false;
    lineFeedDue = false;
    lines = 0;
    chunks = null;
    broken = null;
    if (buffered != null) {
      var bytes = buffered.getBuffer();
      bytes.position(arrived(bytes, bytes.position(), bytes.limit()));
      if (brokenLine() != null) {
        bytes.position(bytes.limit()); // Undertow must not parse it
        connection.getSourceChannel().wakeupReads();
      }
    }
  }

  /** The connection was upgraded to another protocol, which has its own timeouts. */
  void upgraded() {
    phase = Phase.UPGRADED;
  }

  /**
   * Whether the client has closed its side. Input that arrived instead is kept for the next
   * request.
   *
   * <p>Called on the I/O thread, while a complete request is being handled.
   */
  boolean clientGone(HttpServerConnection http1) {
    if (http1.getExtraBytes() != null) {
      return false;
    }
    var pooled = http1.getByteBufferPool().allocate();
    var kept = false;
    try {
      var count = next.read(pooled.getBuffer());
      if (count > 0) {
        pooled.getBuffer().flip();
        http1.setExtraBytes(pooled);
        kept = true;
      }
      return count < 0;
    } catch (IOException e) {
      return true;
    } finally {
      if (!kept) {
        pooled.close();
      }
    }
  }

  /** Reads and discards. Returns the number of bytes; -1 at the end. */
  int drain(ByteBuffer scratch) throws IOException {
    scratch.clear();
    return next.read(scratch);
  }

  // ---- read by Undertow ----

  @Override
  public int read(ByteBuffer bytes) throws IOException {
    return switch (phase) {
      case PASSING, UPGRADED -> next.read(bytes);
      case REQUEST_LINE, FIELDS -> readHead(bytes);
      case FIXED, CHUNKED -> readBody(bytes);
      case REFUSED -> 0;
    };
  }

  private int readHead(ByteBuffer bytes) throws IOException {
    // Had the head been completed, the handler would have been called by now. For a request without
    // a
    // valid Host it is not: Undertow would wait for the body before it responds.
    var known = brokenLine();
    if (known != null || headEnded || headBytes > maxHeaderBytes) {
      refuse(known != null ? known : headEnded ? StrictHttp.Rule.HOST : tooLong());
      return 0;
    }
    var from = bytes.position();
    var count = next.read(bytes);
    if (count <= 0) {
      return count;
    }
    var to = from + count;
    var begin = arrived(bytes, from, to);
    var rule = brokenLine();
    if (rule != null) {
      bytes.position(from);
      refuse(rule);
      return 0;
    }
    if (begin > from) {
      bytes.position(begin).limit(to).compact().position(from + to - begin);
    }
    return to - begin;
  }

  private StrictHttp.Rule tooLong() {
    return phase == Phase.REQUEST_LINE ? StrictHttp.Rule.LONG_URL : StrictHttp.Rule.LARGE_HEAD;
  }

  /** The rule that the lines of the head received so far violate; null if none. */
  private StrictHttp.@Nullable Rule brokenLine() {
    if (begun && lineFeedDue) {
      return StrictHttp.Rule.LINE_END;
    }
    return lines > StrictHttp.MAX_FIELDS ? StrictHttp.Rule.LARGE_HEAD : null;
  }

  /**
   * Inspects bytes of the head.
   *
   * @return the position where the request line begins or continues; {@code to} if it has not begun
   */
  private int arrived(ByteBuffer bytes, int from, int to) {
    headBytes += to - from;
    var begin = begun ? from : begin(bytes, from, to);
    if (begin < to && !begun) {
      begun = true;
      begunNanos = System.nanoTime();
    }
    if (phase == Phase.REQUEST_LINE) {
      requestLine(bytes, begin, to);
    } else {
      fields(bytes, begin, to);
    }
    return begin;
  }

  /** Skips the empty lines that a client may send before a request (RFC 9112, section 2.2). */
  private int begin(ByteBuffer bytes, int from, int to) {
    var i = from;
    while (i < to && bytes.get(i) == (lineFeedDue ? '\n' : '\r')) {
      lineFeedDue = !lineFeedDue;
      i++;
    }
    return i;
  }

  private void requestLine(ByteBuffer bytes, int from, int to) {
    var eight = lastEight;
    for (int i = from; i < to; i++) {
      var b = bytes.get(i);
      if (b == '\n') {
        lastEight = 0;
        requestLine(eight);
        fields(bytes, i + 1, to);
        return;
      }
      if (b != '\r') {
        eight = eight << 8 | (b & 0xff);
      }
    }
    lastEight = eight;
  }

  private void requestLine(long version) {
    versionKnown = version == HTTP_1_1 || version == HTTP_1_0;
    phase = Phase.FIELDS;
    lineBegins = true;
  }

  /** Checks the first byte of each line, until the empty one that ends the head. */
  private void fields(ByteBuffer bytes, int from, int to) {
    var i = from;
    while (i < to && !headEnded) {
      if (lineBegins) {
        var first = bytes.get(i);
        lastLine = first == '\r' || first == '\n';
        folded |= first == ' ' || first == '\t';
        lines++;
      }
      i = lineFeed(bytes, i, to) + 1;
      lineBegins = i <= to;
      headEnded = lastLine && lineBegins;
    }
  }

  /**
   * The position of the next line feed; {@code to} if none. Eight bytes at a time, as heads are
   * long.
   */
  private static int lineFeed(ByteBuffer bytes, int from, int to) {
    var i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      var differing = bytes.getLong(i) ^ 0x0a0a0a0a0a0a0a0aL;
      // Non-zero if and only if one of the eight bytes is zero: the well-known test for a zero
      // byte.
      if ((differing - 0x0101010101010101L & ~differing & 0x8080808080808080L) != 0) {
        break;
      }
    }
    while (i < to && bytes.get(i) != '\n') {
      i++;
    }
    return i;
  }

  private int readBody(ByteBuffer bytes) throws IOException {
    if (broken != null) {
      return 0;
    }
    var from = bytes.position();
    var count = next.read(bytes);
    if (count < 0) {
      broken = StrictHttp.Rule.TRUNCATED_BODY;
      return 0;
    }
    var framing = chunks;
    if (count == 0 || framing == null || framing.done()) {
      return count;
    }
    var end = framing.check(bytes, from, from + count);
    if (framing.broken()) {
      broken = StrictHttp.Rule.CHUNK;
      bytes.position(end);
      return end - from;
    }
    return count;
  }

  private static byte[] response(HttpFault fault) {
    var body = fault.document();
    var head =
        "HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(
                fault.status(),
                HttpFault.reason(fault.status()),
                HttpDate.of(Instant.now()),
                HttpFault.MEDIA_TYPE,
                body.length());
    return (head + body).getBytes(StandardCharsets.US_ASCII);
  }

  // ---- requests that do not reach the handler ----

  /** Whether the request has not been passed to the handler yet, or will not be. */
  boolean awaitsHead() {
    return phase == Phase.REQUEST_LINE || phase == Phase.FIELDS || phase == Phase.REFUSED;
  }

  /** Whether the request was rejected here, so that nothing else is sent. */
  boolean isRefused() {
    return phase == Phase.REFUSED;
  }

  /**
   * Replaces a rejection by Undertow, which has a phrase of its own and no body, and closes the
   * connection at once.
   *
   * @param response the beginning of Undertow's response
   */
  void replace(ByteBuffer response) {
    if (phase != Phase.REFUSED) {
      // HttpReadListener uses the standard phrase, HostHeaderHandler one for each fault.
      var line = new byte[Math.min(response.remaining(), STATUS_LINE_BYTES)];
      response.get(response.position(), line);
      var phrase = new String(line, StandardCharsets.US_ASCII);
      refuse(phrase.contains(" 400 Bad Request") ? StrictHttp.Rule.HEAD : StrictHttp.Rule.HOST);
    }
  }

  /** Sends a rejection. The connection of a client that does not read it is closed. */
  private void send(StrictHttp.Rule rule) throws IOException {
    var response = ByteBuffer.wrap(response(rule.fault()));
    while (response.hasRemaining()) {
      if (socket.write(response) == 0) {
        throw new IOException("the client does not read");
      }
    }
  }

  /** Sends the rejection itself, and closes the connection. */
  private void refuse(StrictHttp.Rule rule) {
    phase = Phase.REFUSED;
    headBytes = 0;
    try {
      send(rule);
    } catch (IOException e) {
      IoUtils.safeClose(connection);
      return;
    }
    // After this read, when Undertow's listener has registered itself again: it would close the
    // connection, as its writes are shut down.
    connection.getIoThread().execute(this::discardInput);
  }

  /**
   * Reads and discards further input, so that unread bytes do not turn the close into a reset and
   * the response is not lost: up to its end, a limit, or {@link #MAX_DISCARD_TIME}.
   */
  private void discardInput() {
    var source = connection.getSourceChannel();
    var scratch = ByteBuffer.allocate(DISCARDED_AT_ONCE);
    var unused =
        connection
            .getIoThread()
            .executeAfter(
                () -> IoUtils.safeClose(connection),
                MAX_DISCARD_TIME.toMillis(),
                TimeUnit.MILLISECONDS);
    source.setReadListener(channel -> discardInput(scratch));
    source.resumeReads();
    try {
      socket.terminateWrites();
      socket.flush();
    } catch (IOException e) {
      IoUtils.safeClose(connection);
      return;
    }
    discardInput(scratch);
  }

  private void discardInput(ByteBuffer scratch) {
    try {
      int count;
      while ((count = drain(scratch)) > 0 && headBytes < MAX_DRAINED) {
        headBytes += count;
      }
      if (count != 0) {
        IoUtils.safeClose(connection);
      }
    } catch (IOException e) {
      IoUtils.safeClose(connection);
    }
  }

  @Override
  public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      if (buffers[i].hasRemaining()) {
        return read(buffers[i]);
      }
    }
    return 0;
  }

  @Override
  public long transferTo(long position, long count, FileChannel target) throws IOException {
    return target.transferFrom(new ConduitReadableByteChannel(this), position, count);
  }

  @Override
  public long transferTo(long count, ByteBuffer through, StreamSinkChannel target)
      throws IOException {
    return Conduits.transfer(this, count, through, target);
  }
}
