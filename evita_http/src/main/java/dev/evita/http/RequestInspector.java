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
 * What arrives on one connection, seen before Undertow's parser sees it.
 *
 * <pre>
 *   REQUEST_LINE --LF--> FIELDS --handler called--> PASSING --body to read--> FIXED | CHUNKED
 *        ^                 | larger than allowed       |                        |
 *        |                 v                           |                        |
 *        |               REFUSED                       |--101--> UPGRADED       |
 *        '-------------- answer complete --------------'------------------------'
 * </pre>
 *
 * <p>It notes what Undertow forgets (an unknown version, which it takes for 1.1) or never looks at
 * (the framing of chunks, a body that ends early) and holds wrong bytes back, so that the handler
 * can answer before Undertow closes the connection without a word. Only the request line is looked
 * at byte by byte; of the fields, where lines end and begin.
 *
 * <p>Belongs to the connection's I/O thread, and to whoever ends an exchange at that moment.
 */
final class RequestInspector extends AbstractStreamSourceConduit<StreamSourceConduit> {

  /** {@code HTTP/1.1} and its like, as eight bytes. */
  private static final long HTTP_1_1 = version("HTTP/1.1");

  private static final long HTTP_1_0 = version("HTTP/1.0");

  /** What a client that still sends may send before the connection is cut. */
  static final int MAX_DRAINED = 1 << 20;

  private static final int STATUS_LINE_BYTES = 32;
  private static final int FORGOTTEN_AT_ONCE = 4_096;
  private static final Duration LONGEST_FORGETTING = Duration.ofSeconds(2);

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

  /** The wire below an exchange of HTTP/1. */
  static RequestInspector of(HttpServerExchange exchange) {
    var http1 = (HttpServerConnection) exchange.getConnection();
    return (RequestInspector) http1.getOriginalSourceConduit();
  }

  ClientConnection client() {
    return client;
  }

  // ---- what the handler tells and asks ----

  /** The head is parsed: what follows is a body, or nothing until the answer is complete. */
  void headRead() {
    phase = Phase.PASSING;
  }

  /** Bytes that came since the end of the last request; the head is at most so large. */
  int headBytes() {
    return headBytes;
  }

  /** When the first byte of the request came, on the clock of {@link System#nanoTime}. */
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
   * @param buffered what of it came together with the head
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

  /** The rule that the body broke; null for none so far. */
  StrictHttp.@Nullable Rule broken() {
    return broken;
  }

  /**
   * The answer is complete: another head may follow.
   *
   * @param buffered what has come of it already
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

  /** From now on these are frames of another protocol, which looks after its own silence. */
  void upgraded() {
    phase = Phase.UPGRADED;
  }

  /**
   * Whether the client has closed its side. What it sent instead is kept for the next request.
   *
   * <p>Called on the I/O thread, while a complete request is worked on.
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

  /** Reads and forgets. Answers how many bytes; -1 at the end. */
  int drain(ByteBuffer scratch) throws IOException {
    scratch.clear();
    return next.read(scratch);
  }

  // ---- what Undertow reads ----

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
    // Were the head complete, the handler would have been called by now. For a request without a
    // valid Host it is not: Undertow would wait for the body before it answers.
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

  /** The rule that the lines of the head break which have come; null for none. */
  private StrictHttp.@Nullable Rule brokenLine() {
    if (begun && lineFeedDue) {
      return StrictHttp.Rule.LINE_END;
    }
    return lines > StrictHttp.MAX_FIELDS ? StrictHttp.Rule.LARGE_HEAD : null;
  }

  /**
   * Looks at bytes of the head.
   *
   * @return where the request line begins, or goes on; {@code to} where it has not come yet
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

  /** Behind the empty lines that a client may send before a request (RFC 9112, section 2.2). */
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

  /** Looks at the first byte of each line, until the empty one that ends the head. */
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

  /** Where the next line feed is; {@code to} for none. Eight bytes at a time, as heads are long. */
  private static int lineFeed(ByteBuffer bytes, int from, int to) {
    var i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      var differing = bytes.getLong(i) ^ 0x0a0a0a0a0a0a0a0aL;
      // Not zero if and only if one of the eight bytes is: the known test for a zero byte.
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

  // ---- where the handler will not be called ----

  /** Whether the handler has not been given the request, or will not be. */
  boolean awaitsHead() {
    return phase == Phase.REQUEST_LINE || phase == Phase.FIELDS || phase == Phase.REFUSED;
  }

  /** Whether the request was refused by hand, so that nothing else is sent. */
  boolean isRefused() {
    return phase == Phase.REFUSED;
  }

  /**
   * Refuses a request that Undertow refuses on its own: with a phrase of its own, without a body,
   * and closing the connection at once.
   *
   * @param answer of Undertow, at its beginning
   */
  void replace(ByteBuffer answer) {
    if (phase != Phase.REFUSED) {
      // HttpReadListener has the standard phrase, HostHeaderHandler one for each fault.
      var line = new byte[Math.min(answer.remaining(), STATUS_LINE_BYTES)];
      answer.get(answer.position(), line);
      var phrase = new String(line, StandardCharsets.US_ASCII);
      refuse(phrase.contains(" 400 Bad Request") ? StrictHttp.Rule.HEAD : StrictHttp.Rule.HOST);
    }
  }

  /** Sends a refusal. A client that has not read as much has its connection closed. */
  private void send(StrictHttp.Rule rule) throws IOException {
    var answer = ByteBuffer.wrap(response(rule.fault()));
    while (answer.hasRemaining()) {
      if (socket.write(answer) == 0) {
        throw new IOException("the client does not read");
      }
    }
  }

  /** Answers by hand, and closes the connection. */
  private void refuse(StrictHttp.Rule rule) {
    phase = Phase.REFUSED;
    headBytes = 0;
    try {
      send(rule);
    } catch (IOException e) {
      IoUtils.safeClose(connection);
      return;
    }
    // After this reading, when Undertow's listener has set itself once more: it would close the
    // connection, as its writes are shut.
    connection.getIoThread().execute(this::forget);
  }

  /**
   * Reads and forgets what the client still sends, so that its unread bytes do not make the close a
   * reset and the answer be lost: to its end, to a bound, or for {@link #LONGEST_FORGETTING}.
   */
  private void forget() {
    var source = connection.getSourceChannel();
    var scratch = ByteBuffer.allocate(FORGOTTEN_AT_ONCE);
    var unused =
        connection
            .getIoThread()
            .executeAfter(
                () -> IoUtils.safeClose(connection),
                LONGEST_FORGETTING.toMillis(),
                TimeUnit.MILLISECONDS);
    source.setReadListener(channel -> forget(scratch));
    source.resumeReads();
    try {
      socket.terminateWrites();
      socket.flush();
    } catch (IOException e) {
      IoUtils.safeClose(connection);
      return;
    }
    forget(scratch);
  }

  private void forget(ByteBuffer scratch) {
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
