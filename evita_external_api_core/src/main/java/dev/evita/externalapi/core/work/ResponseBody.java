// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.Demand;
import dev.evita.api.Execution;
import dev.evita.externalapi.core.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response while it is written.
 *
 * <p>Up to {@link #HIGH_WATER} bytes are buffered; a shorter body is sent with a {@code
 * Content-Length}. Beyond it, bytes are sent while the cursor moves, and the cursor waits while the
 * client does not read.
 *
 * <p>Used by one thread at a time. The buffer belongs to this body from the first byte to {@link
 * #end} or {@link #abort}, then to the thread that ended it.
 */
public final class ResponseBody {

  public static final int HIGH_WATER = 32 << 10;

  /** Usually room for one row beyond the high-water mark. */
  static final int BUFFER_BYTES = HIGH_WATER + (8 << 10);

  private final Work work;
  private final ResponseChannel channel;
  private final JsonWriter json;
  private long flushed;
  private @Nullable Runnable next;
  private @Nullable Thread working;
  private boolean blocked;
  private boolean finished;

  ResponseBody(Work work, ResponseChannel channel) {
    this.work = work;
    this.channel = channel;
    this.json = new JsonWriter(work.dispatcher().takeBuffer());
    this.working = Thread.currentThread();
  }

  /** Writes JSON, or any bytes, to this body. */
  public JsonWriter json() {
    return json;
  }

  /**
   * Checks back-pressure; to be called at the end of each row.
   *
   * @return {@code MORE}; or {@code PAUSE}: then the execution is resumed, on a worker thread, once
   *     the client has read
   */
  public Demand demand(Execution execution) {
    if (json.position() < HIGH_WATER || flush()) {
      return work.ended() ? Demand.STOP : Demand.MORE;
    }
    work.paused();
    whenDrained(() -> {
      work.resumed();
      execution.resume();
    });
    return Demand.PAUSE;
  }

  /**
   * The same between two statements.
   *
   * @param next runs later, on a worker thread, if the result is false
   * @return whether to continue at once
   */
  public boolean demand(Runnable next) {
    if (json.position() < HIGH_WATER || flush()) {
      return true;
    }
    whenDrained(next);
    return false;
  }

  /** Whether a part of it was sent already, with the response's status and headers. */
  public boolean hasLeft() {
    return flushed > 0;
  }

  /**
   * The text written since a position, of a response that was not sent yet.
   *
   * @param from as returned by {@link #position}
   */
  public String textSince(long from) {
    var start = (int) from;
    return new String(json.buffer(), start, json.position() - start, StandardCharsets.UTF_8);
  }

  /** The number of bytes written so far. */
  public long position() {
    return flushed + json.position();
  }

  /**
   * Discards the bytes written since the position.
   *
   * @return false, and nothing is discarded, if some of them were sent already
   */
  public boolean rewind(long position) {
    if (position < flushed) {
      return false;
    }
    json.position((int) (position - flushed));
    return true;
  }

  /** Completes the response. No effect after {@link #abort}. */
  public void end() {
    if (finished) {
      return;
    }
    finished = true;
    work.responseComplete();
    if (!channel.write(json.buffer(), json.position(), true)) {
      channel.awaitDrain();
    }
    work.dispatcher().giveBuffer(json.buffer());
  }

  /** Closes the connection, so that the client cannot take a part for the whole. */
  public void abort() {
    if (!finished) {
      finished = true;
      channel.abort();
      work.dispatcher().giveBuffer(json.buffer());
    }
  }

  private boolean flush() {
    var all = channel.write(json.buffer(), json.position(), false);
    flushed += json.position();
    json.position(0);
    return all;
  }

  /**
   * An engine that works on the calling thread must have returned before it is resumed: while our
   * own work is still on the stack, waiting for the socket begins in {@link #leave}.
   */
  @SuppressWarnings("ReferenceEquality") // compares identity
  private void whenDrained(Runnable task) {
    next = task;
    if (Thread.currentThread() == working) {
      blocked = true;
    } else {
      channel.awaitDrain();
    }
  }

  /** A task of the work begins on this thread. */
  void enter() {
    working = Thread.currentThread();
  }

  /** A task of the work leaves this thread; it may have resumed on another one by now. */
  @SuppressWarnings("ReferenceEquality") // compares identity
  void leave() {
    if (working != Thread.currentThread()) {
      return;
    }
    working = null;
    if (blocked) {
      blocked = false;
      channel.awaitDrain();
    }
  }

  /** The transport has sent its queue. Called on its thread. */
  void drained() {
    var task = next;
    next = null;
    if (task != null) {
      work.dispatcher().resume(work, task);
    }
  }
}
