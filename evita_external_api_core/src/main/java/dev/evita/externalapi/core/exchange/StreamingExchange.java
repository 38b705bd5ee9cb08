// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.http.HttpFault;
import dev.evita.http.HttpStream;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

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
public final class StreamingExchange implements HttpStream.Listener {

  /** What a socket that does not take it may owe before it is not {@link #writable} any more. */
  private static final int HIGH_WATER = 64 << 10;

  private final HttpExchange owner;
  private final HttpResponse response;
  private final HttpStream stream;
  private volatile boolean writable = true;
  private @Nullable Listener listener;
  private boolean headSent;
  private int status = 200;
  private boolean ending;
  private boolean waits;
  private boolean watched;
  private boolean receivedAll;
  private boolean over;

  /** Receives the events of a call. */
  public interface Listener {

    /** Some bytes of the request, valid until it returns. */
    void received(ByteBuffer bytes);

    /** That was the whole request. */
    void receivedAll();

    /** {@link StreamingExchange#writable} is true again. */
    void writable();

    /** It has ended before its answer had left; nothing follows. */
    void broken();
  }

  StreamingExchange(HttpExchange owner, HttpResponse response, HttpStream stream) {
    this.owner = owner;
    this.response = response;
    this.stream = stream;
    stream.listen(this);
  }

  /** Takes the call: its answer has the status 200. Once. */
  public void listen(Listener to) {
    listener = to;
    if (over) {
      to.broken();
    } else if (!stream.isHttp2()) {
      watch();
    }
  }

  /**
   * Over HTTP/1.1 from the beginning, as there are no frames that would tell that the client has
   * left; over HTTP/2 once nothing but the end of the answer is left to be read.
   */
  private void watch() {
    if (!watched) {
      watched = true;
      new ClientWatch(this, owner.work().limits().slowClientTimeout()).start();
    }
  }

  private Listener heard() {
    var to = listener;
    if (to == null) {
      throw new IllegalStateException("nobody listens");
    }
    return to;
  }

  /** The decoded path. */
  public String path() {
    return stream.path();
  }

  /** The method, in upper case. */
  public String method() {
    return stream.method();
  }

  /** When its first byte came, on the clock of {@link System#nanoTime}. */
  public long begunNanos() {
    return stream.begunNanos();
  }

  /** The address of the client; null in process. */
  public @Nullable SocketAddress peer() {
    return stream.peer();
  }

  /** The first value of a header; null where it is absent. */
  public @Nullable String header(String name) {
    var values = FieldNames.values(stream.fields(), name);
    return values == null ? null : values.getFirst();
  }

  /** All headers in their order, names in lower case. */
  public void headers(BiConsumer<String, String> each) {
    for (var values : stream.fields()) {
      var name = values.getHeaderName().toString().toLowerCase(Locale.ROOT);
      for (var value : values) {
        each.accept(name, value);
      }
    }
  }

  /** Whether this thread is the connection's. From any thread. */
  public boolean onItsThread() {
    return stream.isOnThread();
  }

  /** Runs this on the connection's thread, soon. From any thread. */
  public void execute(Runnable task) {
    stream.execute(task);
  }

  /** Runs this on the connection's thread after a while; the answer takes it back. */
  public Runnable after(Duration delay, Runnable task) {
    return stream.after(delay, task);
  }

  // ---- the request ----

  /** Reads on: the listener is told of what is there at once, and of all that follows. */
  public void resume() {
    if (!over) {
      stream.resume();
    }
  }

  /** Reads no more for now; may be called by {@link Listener#received}. */
  public void suspend() {
    stream.suspend();
  }

  @Override
  public void received(ByteBuffer bytes, boolean last) {
    receivedAll = last;
    if (bytes.hasRemaining()) {
      heard().received(bytes);
    }
    if (last && !over) {
      heard().receivedAll();
    }
  }

  /** Reports it to the client unless the answer has begun, and ends the call in any case. */
  @Override
  public void malformed(HttpFault fault) {
    if (over || headSent) {
      breakOff();
      return;
    }
    over = true;
    stream.listen(owner);
    owner.refuse(fault);
    if (listener != null) {
      listener.broken();
    }
  }

  // ---- the answer ----

  /** Answers a call that nobody listens to: with this status and nothing else. */
  public void refuse(int refusal) {
    status = refusal;
    ending = true;
    stream.end(null);
    flush();
  }

  /** Sets the content type, before the first byte. */
  public void contentType(String contentType) {
    stream.responseFields().put(Headers.CONTENT_TYPE, contentType);
  }

  /** Adds a header of the answer, before the first byte. */
  public void responseHeader(String name, String value) {
    stream.responseFields().add(new HttpString(name), value);
  }

  /** Whether the socket keeps up. From any thread. */
  public boolean writable() {
    return writable;
  }

  /** Queues bytes, which are not copied; {@link #flush} sends them. */
  public void write(byte[] bytes, int length) {
    if (!over && !ending) {
      stream.write(ByteBuffer.wrap(bytes, 0, length));
      writable = stream.queuedBytes() < HIGH_WATER;
    }
  }

  /** Queues the end, which {@link #flush} sends. */
  public void end(Iterable<String[]> trailers) {
    if (!ending) {
      ending = true;
      var fields = new HeaderMap();
      for (var each : trailers) {
        fields.add(new HttpString(each[0]), each[1]);
      }
      stream.end(fields);
    }
  }

  /** Sends what is queued, and the head if it has not left. */
  public void flush() {
    if (over) {
      return;
    }
    if (!headSent) {
      headSent = true;
      response.finishCallHead();
      stream.respond(status);
    }
    waits = !stream.flush();
    if (waits) {
      stream.awaitSent();
    }
    settle();
  }

  /** All that was queued has been sent. */
  @Override
  public void sent() {
    waits = false;
    settle();
  }

  private void settle() {
    if (over) {
      return;
    }
    var before = writable;
    writable = stream.queuedBytes() < HIGH_WATER;
    if (stream.isOver()) {
      end();
    } else if (waits && ending) {
      watch();
    } else if (!before && writable) {
      heard().writable();
    }
  }

  private void end() {
    over = true;
    owner.end();
  }

  /** Breaks the call off: the client sees its stream reset. */
  public void reset() {
    if (!over) {
      end();
      stream.reset();
    }
  }

  /** The stream was reset, or the connection lost. */
  @Override
  public void broken() {
    if (!over) {
      end();
      if (listener != null) {
        listener.broken();
      }
    }
  }

  // ---- for who watches the client ----

  /** The client is gone. */
  void breakOff() {
    if (!over) {
      reset();
      if (listener != null) {
        listener.broken();
      }
    }
  }

  /** Looks whether the client has left, once it has sent all. */
  void probe() {
    if (receivedAll) {
      stream.probe();
    }
  }

  /** Whether it has ended. */
  boolean isOver() {
    return over;
  }

  /** Bytes that the socket has taken. */
  long sentBytes() {
    return stream.sentBytes();
  }

  /** Whether something waits for the socket. */
  boolean waits() {
    return waits;
  }
}
