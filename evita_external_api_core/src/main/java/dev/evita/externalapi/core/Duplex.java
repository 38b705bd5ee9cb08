// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/**
 * A request and its answer, both of which are streams: of HTTP/2, or over HTTP/1.1 a body each.
 *
 * <pre>
 *   client --frames--> (its window) --resume--> received ... receivedAll
 *          <--frames-- (our queue)  <--write, flush-- end(trailers)
 *   reset, connection lost, server stops: broken, once, unless the answer is complete
 * </pre>
 *
 * <p>Bytes are read only while it is resumed, so a client sends no more than its window while
 * nobody wants more. What is written is queued as long as the socket or the client's window is
 * full; whoever writes asks {@link #writable} first.
 *
 * <p>All methods are called on the connection's thread, and so are the listener's, unless they say
 * otherwise. No deadline holds for it but its API's own.
 */
public final class Duplex {

  /** What a socket that does not take it may owe before it is not {@link #writable} any more. */
  private static final int HIGH_WATER = 64 << 10;

  private static final int SCRATCH = 16 << 10;

  /** How long a client may go on with a request that was answered before its end. */
  private static final Duration LINGER = Duration.ofSeconds(10);

  private static final ThreadLocal<ByteBuffer> SCRATCHES =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(SCRATCH));

  /** What an API hears of a call. */
  public interface Listener {

    /** Some bytes of the request, valid until it returns. */
    void received(ByteBuffer bytes);

    /** That was the whole request. */
    void receivedAll();

    /** {@link Duplex#writable} is true again. */
    void writable();

    /** It has ended before its answer had left; nothing follows. */
    void broken();
  }

  private final UndertowExchange owner;
  private final HttpServerExchange exchange;
  private final @Nullable StreamSourceChannel source;
  private final Deque<ByteBuffer> queue = new ArrayDeque<>(2);
  private @Nullable StreamSinkChannel sink;
  private @Nullable Listener listener;
  private int queued;
  private volatile boolean writable = true;
  private boolean wanted;
  private boolean receivedAll;
  private boolean forgotten;
  private boolean ending;
  private boolean shut;
  private boolean awaiting;
  private boolean endWatched;
  private @Nullable Runnable lingering;
  private boolean done;
  private boolean committed;
  private int discarded;
  private long takenBytes;

  Duplex(UndertowExchange owner, HttpServerExchange exchange) {
    this.owner = owner;
    this.exchange = exchange;
    this.source = exchange.getRequestChannel();
    if (source != null) {
      source.getReadSetter().set(ready -> read());
    }
  }

  /** Takes the call: its answer has the status 200. Once. */
  public void listen(Listener to) {
    listener = to;
    if (done) {
      to.broken();
      return;
    }
    if (owner.ofHttp2()) {
      // Undertow calls the sink's listener also where the client has reset the stream.
      var unused = sink();
    } else {
      new ClientWatch(this, owner.limits().slowClientTimeout()).start();
    }
  }

  private StreamSinkChannel sink() {
    var open = sink;
    if (open == null) {
      open = exchange.getResponseChannel();
      open.getWriteSetter().set(ready -> pump());
      sink = open;
    }
    return open;
  }

  /** The decoded path. */
  public String path() {
    return exchange.getRequestPath();
  }

  /** The method, in upper case. */
  public String method() {
    return exchange.getRequestMethod().toString();
  }

  /** When its first byte came, on the clock of {@link System#nanoTime}. */
  public long begunNanos() {
    return owner.begunNanos();
  }

  /** Where the client is. */
  public SocketAddress peer() {
    return exchange.getConnection().getPeerAddress();
  }

  /** The first value of a header; null where it is absent. */
  public @Nullable String header(String name) {
    return exchange.getRequestHeaders().getFirst(name);
  }

  /** All headers in their order, names in lower case. */
  public void headers(BiConsumer<String, String> each) {
    for (var values : exchange.getRequestHeaders()) {
      var name = values.getHeaderName().toString().toLowerCase(Locale.ROOT);
      for (var value : values) {
        each.accept(name, value);
      }
    }
  }

  /** Whether this thread is the connection's. From any thread. */
  public boolean onItsThread() {
    return exchange.isInIoThread();
  }

  /** Runs this on the connection's thread, soon. From any thread. */
  public void execute(Runnable task) {
    exchange.getIoThread().execute(task);
  }

  /** Runs this on the connection's thread after a while; the answer takes it back. */
  public Runnable after(Duration delay, Runnable task) {
    var key = exchange.getIoThread().executeAfter(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return key::remove;
  }

  // ---- the request ----

  /** Reads on: the listener is told of what is there at once, and of all that follows. */
  public void resume() {
    if (!wanted && !receivedAll && !done && !forgotten) {
      wanted = true;
      read();
    }
  }

  /** Reads no more for now; may be called by {@link Listener#received}. */
  public void suspend() {
    wanted = false;
  }

  private void read() {
    if (done || forgotten) {
      forgetRequest();
      return;
    }
    try {
      readWhileWanted();
    } catch (IOException e) {
      breakOff();
    } catch (RuntimeException | Error e) {
      reset();
      throw e;
    }
  }

  private void readWhileWanted() throws IOException {
    var from = source;
    var buffer = SCRATCHES.get();
    while (wanted && !done) {
      buffer.clear();
      var count = from == null ? -1 : from.read(buffer);
      if (count == 0) {
        if (owner.refusedBody()) {
          broken();
        } else {
          from.resumeReads();
        }
        return;
      }
      if (count < 0) {
        wanted = false;
        receivedAll = true;
        heard().receivedAll();
      } else {
        heard().received(buffer.flip());
      }
    }
    if (from != null && !done) {
      from.suspendReads();
    }
  }

  private Listener heard() {
    var to = listener;
    if (to == null) {
      throw new IllegalStateException("nobody listens");
    }
    return to;
  }

  // ---- the answer ----

  /** Answers a call that nobody listens to: with this status and nothing else. */
  public void refuse(int status) {
    exchange.setStatusCode(status);
    ending = true;
    flush();
  }

  /** Sets the content type, before the first byte. */
  public void contentType(String contentType) {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, contentType);
  }

  /** Adds a header of the answer, before the first byte. */
  public void responseHeader(String name, String value) {
    exchange.getResponseHeaders().add(new HttpString(name), value);
  }

  /** Whether the socket keeps up. From any thread. */
  public boolean writable() {
    return writable;
  }

  private void count(int bytes) {
    queued += bytes;
    writable = queued < HIGH_WATER;
  }

  /** Queues bytes, which are not copied; {@link #flush} sends them. */
  public void write(byte[] bytes, int length) {
    if (!done && !ending) {
      queue.add(ByteBuffer.wrap(bytes, 0, length));
      count(length);
    }
  }

  /** Queues the end, which {@link #flush} sends. */
  public void end(Iterable<String[]> trailers) {
    if (ending) {
      return;
    }
    ending = true;
    var map = new HeaderMap();
    for (var each : trailers) {
      map.add(new HttpString(each[0]), each[1]);
    }
    if (map.size() > 0) {
      exchange.putAttachment(HttpAttachments.RESPONSE_TRAILERS, map);
    }
  }

  /** Sends what is queued, and the head if it has not left. */
  public void flush() {
    if (!awaiting) {
      pump();
    }
  }

  private void pump() {
    if (done) {
      return;
    }
    var before = writable;
    if (!committed) {
      committed = true;
      owner.commitDuplex();
    }
    var to = sink();
    try {
      if (!to.isOpen()) {
        breakOff();
        return;
      }
      awaiting = !send(to);
    } catch (IOException e) {
      breakOff();
      return;
    }
    if (done) {
      return;
    }
    if (awaiting) {
      to.resumeWrites();
      watchEnd();
    } else {
      to.suspendWrites();
    }
    if (!awaiting && ending) {
      finished();
    } else if (!before && writable) {
      heard().writable();
    }
  }

  /** Over HTTP/2 it is for the API to say how long a call may take, but not its end. */
  private void watchEnd() {
    if (ending && !endWatched && owner.ofHttp2()) {
      endWatched = true;
      new ClientWatch(this, owner.limits().slowClientTimeout()).start();
    }
  }

  private boolean send(StreamSinkChannel to) throws IOException {
    for (var next = queue.peek(); next != null; next = queue.peek()) {
      while (next.hasRemaining()) {
        var count = to.write(next);
        if (count == 0 || done) { // to write is to see that the client is gone
          return false;
        }
        count(-count);
        takenBytes += count;
      }
      queue.remove();
    }
    if (ending && !shut) {
      shut = true;
      to.shutdownWrites();
    }
    return owner.flush(to);
  }

  /** The answer has left. Of a request that still comes, nothing is wanted any more. */
  private void finished() {
    done = true;
    var from = source;
    if (from != null && !receivedAll) {
      lingering = after(LINGER, this::leave);
      from.getReadSetter().set(ready -> discard(from));
      discard(from);
    }
  }

  private void leave() {
    if (!receivedAll) {
      owner.abort();
    }
  }

  /**
   * Reads and forgets what still comes of the request, until the client has heard of the answer, or
   * to a bound. A reset at once would leave bytes unread, and these Undertow never gives back to
   * the window of the connection, which all its other streams share.
   */
  private void discard(StreamSourceChannel from) {
    var buffer = SCRATCHES.get();
    try {
      while (discarded < RequestWire.MAX_DRAINED) {
        buffer.clear();
        var count = from.read(buffer);
        if (count == 0) {
          if (owner.refusedBody()) {
            return;
          }
          from.resumeReads();
          return;
        }
        if (count < 0) {
          receivedAll = true;
          lingered();
          return;
        }
        discarded += count;
      }
    } catch (IOException e) {
      receivedAll = true; // the client has reset it
    }
    lingered();
    owner.abort();
  }

  private void lingered() {
    var timer = lingering;
    if (timer != null) {
      timer.run(); // it would keep the call in memory until its time
    }
  }

  /** Breaks the call off: the client sees its stream reset. */
  public void reset() {
    if (!done) {
      done = true;
      queue.clear();
      owner.abort();
    }
  }

  /** The client is gone. */
  void breakOff() {
    if (!done) {
      reset();
      tellBroken();
    }
  }

  /** The transport is done with it; also while {@link #send} sees off the end. */
  void ended() {
    if (!done && !shut) {
      broken();
    }
  }

  private void broken() {
    done = true;
    queue.clear();
    tellBroken();
  }

  private void tellBroken() {
    if (listener != null) {
      listener.broken();
    }
  }

  // ---- for who watches the client ----

  /**
   * Reads and forgets what is here, and what Undertow has still to hand over, of a request whose
   * stream ends: it would keep what is not read, and ask for ever whether somebody reads it.
   */
  void forgetRequest() {
    forgotten = true;
    wanted = false;
    var from = source;
    if (from == null || receivedAll) {
      return;
    }
    var buffer = SCRATCHES.get();
    try {
      int count;
      do {
        count = from.read(buffer.clear());
      } while (count > 0);
      if (count == 0) {
        from.resumeReads();
      } else {
        receivedAll = true;
      }
    } catch (IOException e) {
      receivedAll = true; // there is none
    }
  }

  boolean over() {
    return done;
  }

  /** Bytes that the socket has taken. */
  long takenBytes() {
    return takenBytes;
  }

  /** Whether something waits for the socket. */
  boolean waits() {
    return awaiting;
  }

  /** Over HTTP/1.1, where the whole request has come: what follows it belongs to the next. */
  boolean clientIsGone() {
    return receivedAll && owner.clientIsGone();
  }
}
