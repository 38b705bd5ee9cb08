// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.http2.AbstractHttp2StreamSourceChannel;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.protocols.http2.Http2HeadersStreamSinkChannel;
import io.undertow.protocols.http2.Http2RstStreamStreamSourceChannel;
import io.undertow.protocols.http2.Http2StreamSourceChannel;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.framed.FrameHeaderData;
import io.undertow.server.protocol.http2.Http2ReceiveListener;
import io.undertow.util.HeaderMap;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;

/**
 * A connection of HTTP/2: Undertow's own, and what it leaves out (docs/grpc.md has each with its
 * cause).
 *
 * <pre>
 *   HEADERS --> leaving? --yes--> ignored: GOAWAY has said so
 *               more than allowed? --yes--> RST_STREAM REFUSED_STREAM
 *                  '--no--> exchange ... ended
 *   RST_STREAM --> what is unread is read, what is held is let go --> the exchange is told
 *   DATA of a stream that we have reset --> skipped, and credited
 *   HEADERS whose content-length is no number --> RST_STREAM PROTOCOL_ERROR
 *   GOAWAY --> skipped: the client's calls end well, and it closes the connection itself
 *   silence --> PING each heartbeat while there are streams --> closed after three
 * </pre>
 *
 * <p>Belongs to its thread, but for {@link #leave}, {@link #end} and {@link #ended}.
 */
final class Http2Connection extends Http2Channel {

  /** Streams at one time; what is beyond is refused, and a client may try it again. */
  static final int MAX_STREAMS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

  private static final int HEADER = 9;
  private static final int TYPE_AT = 3;
  private static final int STREAM_AT = 5;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int GOAWAY = 7;

  /** Which Undertow skips, as it must (RFC 9113, section 4.1). */
  private static final byte UNKNOWN = (byte) 0xff;

  /** How many streams are remembered as reset. */
  private static final int MAX_RESET = 2_000;

  /** How many answers that the client's window holds we may give up, of which each keeps memory. */
  private static final int MAX_GIVEN_UP = 100;

  private static final int SILENT_HEARTBEATS = 3;
  private static final byte[] PING = "evita...".getBytes(StandardCharsets.US_ASCII);

  private record Stream(UndertowExchange exchange, Http2HeadersStreamSinkChannel sink) {}

  private final Limits limits;
  private final ClientConnection client;
  private final FrameBursts bursts;
  private final FrameSink out;
  private final HttpHandler handler;
  private final Map<Integer, Stream> streams = new ConcurrentHashMap<>();
  private final LinkedHashSet<Integer> reset = new LinkedHashSet<>();
  private final List<Http2HeadersStreamSinkChannel> held = new ArrayList<>(0);
  private final ByteBuffer header = ByteBuffer.allocate(HEADER);
  private boolean atHeader;
  private int current;
  private long begunNanos = System.nanoTime();
  private int newest;
  private @Nullable Http2HeadersStreamSinkChannel newestSink;
  private @Nullable EvitaException newestRefusal;
  private boolean leaving;
  private volatile boolean ended;
  private volatile boolean endsWhenIdle;
  private int late;
  private int givenUp;
  private volatile XnioExecutor.@Nullable Key timer;
  private long lastReadNanos = System.nanoTime();

  /**
   * Takes a connection over.
   *
   * @param first what has been read of it; null for nothing. Becomes this one's
   * @param settings of an upgrade (RFC 7540, section 3.2.1); null where there was none
   */
  Http2Connection(
      StreamConnection connection,
      FrameBursts bursts,
      FrameSink out,
      ByteBufferPool buffers,
      @Nullable PooledByteBuffer first,
      @Nullable ByteBuffer settings,
      OptionMap options,
      ClientConnection client) {
    super(
        connection,
        settings == null ? "h2" : CLEARTEXT_UPGRADE_STRING,
        buffers,
        first,
        false,
        settings != null,
        true,
        settings,
        options);
    this.bursts = bursts;
    this.out = out;
    this.limits = client.listener().server().dispatcher().limits();
    this.client = client;
    this.handler =
        exchange ->
            exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                new UndertowExchange(client, exchange, this, newestRefusal));
    getReceiveSetter().set(new Http2ReceiveListener(handler, options, HttpHost.BUFFER_BYTES, null));
    addCloseTask(closed -> lost());
    lookAgain(limits.heartbeat().toNanos());
  }

  /** What takes the requests of its streams. */
  HttpHandler handler() {
    return handler;
  }

  // ---- streams ----

  /** Begins the stream of an upgrade. */
  Http2HeadersStreamSinkChannel beginUpgraded() {
    var sink = createInitialUpgradeResponseStream();
    newest = 1;
    newestSink = sink;
    return sink;
  }

  /** When the newest stream began, on the clock of {@link System#nanoTime}. */
  long begunNanos() {
    return begunNanos;
  }

  /** The newest stream has become this exchange. Answers the stream's number. */
  int opened(UndertowExchange exchange) {
    var sink = newestSink;
    if (sink == null) {
      throw new IllegalStateException("no stream has begun");
    }
    streams.put(newest, new Stream(exchange, sink));
    return newest;
  }

  /** Nothing is to be told to the stream's exchange any more. From any thread. */
  void ended(int stream) {
    streams.remove(stream);
    if (endsWhenIdle && streams.isEmpty()) {
      end();
    }
  }

  private void lost() {
    var look = timer;
    if (look != null) {
      look.remove(); // it would keep this in memory until its time
    }
    for (var stream : streams.values()) {
      stream.exchange().streamLost();
    }
    streams.clear();
  }

  @Override
  public synchronized @Nullable AbstractHttp2StreamSourceChannel receive() throws IOException {
    lastReadNanos = System.nanoTime();
    var frame = super.receive();
    if (!held.isEmpty() && out.betweenFrames()) {
      held.forEach(this::letGo);
      held.clear();
    }
    return switch (frame) {
      case Http2StreamSourceChannel stream -> admitted(stream);
      case Http2RstStreamStreamSourceChannel end -> {
        var stream = streams.remove(end.getStreamId());
        if (stream != null) {
          stream.exchange().streamLost();
        }
        yield frame;
      }
      case null, default -> frame;
    };
  }

  private @Nullable Http2StreamSourceChannel admitted(Http2StreamSourceChannel stream) {
    if (leaving) {
      ignore(stream.getStreamId());
      return null;
    }
    if (streams.size() >= MAX_STREAMS) {
      sendRstStream(stream.getStreamId(), ERROR_REFUSED_STREAM);
      return null;
    }
    newest = stream.getStreamId();
    newestSink = stream.getResponseChannel();
    newestRefusal = refusal(stream.getHeaders());
    return stream;
  }

  private @Nullable EvitaException refusal(HeaderMap fields) {
    var hosts = client.listener().hosts();
    var foreign = StrictHttp.foreignHost(fields, hosts);
    return foreign == null ? null : hosts.refusal(foreign);
  }

  /**
   * GOAWAY tells the client that nobody has seen to this stream (RFC 9113, section 6.8). To reset
   * each as well would be the end of the connection, and of answers on their way: Undertow closes
   * one on which many streams are reset, by whichever side.
   */
  private void ignore(int stream) {
    if (++late > MAX_STREAMS) {
      IoUtils.safeClose(this);
    } else {
      reset.add(stream);
    }
  }

  /** Once for each stream, and not where the client has done so. */
  @Override
  public void sendRstStream(int stream, int code) {
    if (!reset.add(stream)) {
      return;
    }
    forgetEldest();
    var known = streams.get(stream);
    if (known != null) {
      known.exchange().forgetRequest();
    }
    super.sendRstStream(stream, code);
    if (known != null && known.sink().isOpen() && out.betweenFrames()) {
      // Its frame stays among those that Undertow holds. To send it without its bytes, as where the
      // client does not want it, could make an answer look complete that is not.
      IoUtils.safeClose(known.sink());
      if (++givenUp > MAX_GIVEN_UP) {
        IoUtils.safeClose(this);
      }
    }
  }

  private void forgetEldest() {
    if (reset.size() > MAX_RESET) {
      var unused = reset.removeFirst();
    }
  }

  // ---- frames, before Undertow sees them ----

  @Override
  protected @Nullable FrameHeaderData parseFrame(ByteBuffer data) throws IOException {
    FrameHeaderData frame = null;
    if (atHeader && header.position() == 0 && data.remaining() >= HEADER) {
      look(data, data.position());
    } else if (atHeader) {
      // It comes in pieces, which are taken: Undertow's buffer may have no room for what is left.
      while (header.hasRemaining() && data.hasRemaining()) {
        header.put(data.get());
      }
      if (header.hasRemaining()) {
        return null;
      }
      look(header.flip(), 0);
      frame = super.parseFrame(header);
      header.clear();
    }
    if (frame == null) {
      frame = super.parseFrame(data);
    }
    atHeader = frame != null;
    return frame;
  }

  private void look(ByteBuffer data, int at) throws IOException {
    var stream = data.getInt(at + STREAM_AT) & Integer.MAX_VALUE;
    current = stream;
    switch (data.get(at + TYPE_AT)) {
      case HEADERS -> begunNanos = System.nanoTime();
      case DATA -> {
        if (reset.contains(stream)) {
          data.put(at + TYPE_AT, UNKNOWN);
          updateReceiveFlowControlWindow(data.getInt(at) >>> Byte.SIZE);
        }
      }
      case RST_STREAM -> resetByClient(stream);
      case GOAWAY -> {
        if (stream == 0) {
          data.put(at + TYPE_AT, UNKNOWN);
        }
      }
      default -> {
        // Undertow's alone
      }
    }
  }

  /** A content-length that is no number is a fault of the stream (RFC 9113, section 8.1.1). */
  @Override
  protected @Nullable AbstractHttp2StreamSourceChannel createChannelImpl(
      FrameHeaderData frame, PooledByteBuffer data) throws IOException {
    try {
      return super.createChannelImpl(frame, data);
    } catch (NumberFormatException e) {
      data.close();
      sendRstStream(current, ERROR_PROTOCOL_ERROR);
      return null;
    }
  }

  private void resetByClient(int number) {
    var stream = streams.get(number);
    if (stream != null && reset.add(number)) {
      forgetEldest();
      stream.exchange().forgetRequest();
      if (out.betweenFrames()) {
        letGo(stream.sink());
      } else {
        held.add(stream.sink());
      }
    }
  }

  /**
   * Empties the frame that waits for the client's window, so that it leaves: Undertow forgets to
   * throw it away.
   */
  private void letGo(Http2HeadersStreamSinkChannel sink) {
    try {
      if (sink.isOpen() && sink.isReadyForFlush()) {
        var bytes = sink.getBuffer();
        bytes.position(bytes.limit());
        recalculateHeldFrames();
      }
    } catch (IOException e) {
      LOG.debug("The connection is gone", e);
    }
  }

  // ---- the end ----

  /** Takes no new streams; those that are open go on. From any thread. */
  void leave() {
    getIoThread()
        .execute(() -> {
          if (leaving || !isOpen()) {
            return;
          }
          leaving = true;
          var frame = ByteBuffer.allocate(HEADER + 8);
          frame.putInt(8 << Byte.SIZE | GOAWAY).put((byte) 0).putInt(0);
          frame.putInt(newest).putInt(ERROR_NO_ERROR);
          try {
            out.say(frame.flip());
          } catch (IOException e) {
            IoUtils.safeClose(this);
          }
        });
  }

  /** The same, and ends the connection once its streams have ended. */
  void leaveAndEnd() {
    endsWhenIdle = true;
    leave();
  }

  /**
   * Tells the client that nothing more comes, unless something still waits to leave. It then closes
   * the connection; if we did that first, and the client had just sent something, its system might
   * throw away the end of an answer that it has not read yet. From any thread.
   */
  void end() {
    if (ended) {
      return;
    }
    getIoThread()
        .execute(() -> {
          if (ended || !isOpen() || !out.settled() || !bursts.push()) {
            return;
          }
          ended = true;
          bursts.atEnd(out::tellOfEnd);
          try {
            out.end();
          } catch (IOException e) {
            IoUtils.safeClose(this);
          }
        });
  }

  /** Whether the client is there is asked while it waits for something; else silence is the end. */
  private void look() {
    if (!isOpen()) {
      return;
    }
    var heartbeat = limits.heartbeat().toNanos();
    var silent = System.nanoTime() - lastReadNanos;
    if (silent > (streams.isEmpty() ? longestPause() : SILENT_HEARTBEATS * heartbeat)) {
      IoUtils.safeClose(this);
      return;
    }
    if (silent >= heartbeat && !streams.isEmpty()) {
      sendPing(PING);
    }
    lookAgain(Math.max(heartbeat - silent, heartbeat / 2));
  }

  private long longestPause() {
    return Math.max(limits.idleTimeout().toNanos(), limits.requestTimeout().toNanos());
  }

  private void lookAgain(long nanos) {
    timer = getIoThread().executeAfter(this::look, nanos, TimeUnit.NANOSECONDS);
  }
}
