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
 * A request and its response, both streamed: over HTTP/2, or over HTTP/1.1 one body each.
 *
 * <pre>
 * client --frames--> (its window) --resume--> received ... receivedAll
 *        <--frames-- (our queue)  <--write, flush-- end(trailers)
 * reset, connection lost, shutdown: broken, once, unless the response is complete
 * </pre>
 *
 * <p>Back-pressure: bytes are read only while resumed, so a client sends no more than its window
 * while the API reads nothing. Written bytes are queued while the socket or the client's window is
 * full; writers check {@link #writable} first.
 *
 * <p>All methods, and the listener's, are called on the connection's thread unless stated
 * otherwise. It has no deadline but its API's own.
 */
public final class StreamingExchange implements HttpStream.Listener {

  /** Unsent bytes from which on the exchange is no longer {@link #writable}. */
  private static final int HIGH_WATER = 64 << 10;

  private final HttpExchange owner;
  private final HttpResponse response;
  private final HttpStream stream;
  private volatile boolean writable = true;
  private @Nullable Listener listener;
  private boolean headSent;
  private int status = 200;
  private boolean ending;
  private boolean blocked;
  private boolean watched;
  private boolean receivedAll;
  private boolean over;

  /** Receives the events of a call. */
  public interface Listener {

    /** Some bytes of the request, valid until it returns. */
    void received(ByteBuffer bytes);

    /** The request is complete. */
    void receivedAll();

    /** {@link StreamingExchange#writable} is true again. */
    void writable();

    /** The exchange ended before its response was sent; no more events follow. */
    void broken();
  }

  StreamingExchange(HttpExchange owner, HttpResponse response, HttpStream stream) {
    this.owner = owner;
    this.response = response;
    this.stream = stream;
    stream.listen(this);
  }

  /** Accepts the call: its response has the status 200. To be called once. */
  public void listen(Listener to) {
    listener = to;
    if (over) {
      to.broken();
    } else if (!stream.isHttp2()) {
      watch();
    }
  }

  /**
   * Watches the client: over HTTP/1.1 from the beginning, which has no frames that would show that
   * it has disconnected; over HTTP/2 once only the end of the response is left to be read.
   */
  private void watch() {
    if (!watched) {
      watched = true;
      new ClientWatch(this, owner.work().limits().slowClientTimeout()).start();
    }
  }

  private Listener requireListener() {
    var to = listener;
    if (to == null) {
      throw new IllegalStateException("no listener");
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

  /** The time of the request's first byte, on the clock of {@link System#nanoTime}. */
  public long begunNanos() {
    return stream.begunNanos();
  }

  /** The address of the client; null in process. */
  public @Nullable SocketAddress peer() {
    return stream.peer();
  }

  /** The first value of a header; null if absent. */
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

  /** Whether the calling thread is the connection's. From any thread. */
  public boolean onItsThread() {
    return stream.isOnThread();
  }

  /** Runs a task on the connection's thread, soon. From any thread. */
  public void execute(Runnable task) {
    stream.execute(task);
  }

  /** Runs a task on the connection's thread after a delay; the returned task cancels it. */
  public Runnable after(Duration delay, Runnable task) {
    return stream.after(delay, task);
  }

  // ---- the request ----

  /** Resumes reading: the listener receives buffered bytes at once, then all that follow. */
  public void resume() {
    if (!over) {
      stream.resume();
    }
  }

  /** Suspends reading; may be called by {@link Listener#received}. */
  public void suspend() {
    stream.suspend();
  }

  @Override
  public void received(ByteBuffer bytes, boolean last) {
    receivedAll = last;
    if (bytes.hasRemaining()) {
      requireListener().received(bytes);
    }
    if (last && !over) {
      requireListener().receivedAll();
    }
  }

  /**
   * Reports the fault to the client unless the response has begun, and ends the call in any case.
   */
  @Override
  public void malformed(HttpFault fault) {
    if (over || headSent) {
      disconnected();
      return;
    }
    over = true;
    stream.listen(owner);
    owner.refuse(fault);
    if (listener != null) {
      listener.broken();
    }
  }

  // ---- the response ----

  /** Refuses a call without a listener: sends this status and nothing else. */
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

  /** Adds a header of the response, before the first byte. */
  public void responseHeader(String name, String value) {
    stream.responseFields().add(new HttpString(name), value);
  }

  /** Whether the socket accepts more bytes. From any thread. */
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

  /** Sends the queue, and the head if it was not sent yet. */
  public void flush() {
    if (over) {
      return;
    }
    if (!headSent) {
      headSent = true;
      response.finishCallHead();
      stream.respond(status);
    }
    blocked = !stream.flush();
    if (blocked) {
      stream.awaitSent();
    }
    settle();
  }

  /** The queue has been sent. */
  @Override
  public void sent() {
    blocked = false;
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
    } else if (blocked && ending) {
      watch();
    } else if (!before && writable) {
      requireListener().writable();
    }
  }

  private void end() {
    over = true;
    owner.end();
  }

  /** Aborts the call: the client sees its stream reset. */
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

  // ---- for watching the client ----

  /** Ends the call of a client that has disconnected. */
  void disconnected() {
    if (!over) {
      reset();
      if (listener != null) {
        listener.broken();
      }
    }
  }

  /** Checks whether the client has disconnected, once it has sent its whole request. */
  void probe() {
    if (receivedAll) {
      stream.probe();
    }
  }

  /** Whether it has ended. */
  boolean isOver() {
    return over;
  }

  /** The number of bytes that the socket has accepted. */
  long sentBytes() {
    return stream.sentBytes();
  }

  /** Whether bytes wait for the socket. */
  boolean hasQueuedBytes() {
    return blocked;
  }
}
