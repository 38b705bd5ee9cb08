// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.Demand;
import dev.evita.api.Execution;
import dev.evita.externalapi.core.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an answer while it is written.
 *
 * <p>Up to {@link #HIGH_WATER} bytes are held; what ends before is sent with a {@code
 * Content-Length}. Beyond, bytes leave while the cursor moves, and where the client does not read,
 * the cursor waits.
 *
 * <p>Used by one thread at a time. The buffer belongs to this body from the first byte to {@link
 * #end} or {@link #abort}, then to the thread that ended it.
 */
public final class ResponseBody {

  public static final int HIGH_WATER = 32 << 10;

  /** Room for one row beyond the high water, usually. */
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
   * To be asked at the end of each row: whether the engine may go on.
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
   * @param next runs later, on a worker thread, where the answer is false
   * @return whether to go on at once
   */
  public boolean demand(Runnable next) {
    if (json.position() < HIGH_WATER || flush()) {
      return true;
    }
    whenDrained(next);
    return false;
  }

  /** Whether some of it has left already, with the answer's status and headers. */
  public boolean hasLeft() {
    return flushed > 0;
  }

  /**
   * The text that was written since a position, of an answer of which nothing has left.
   *
   * @param from as {@link #position} answered it
   */
  public String textSince(long from) {
    var start = (int) from;
    return new String(json.buffer(), start, json.position() - start, StandardCharsets.UTF_8);
  }

  /** How many bytes were written so far. */
  public long position() {
    return flushed + json.position();
  }

  /**
   * Takes back what was written since the position.
   *
   * @return false, and nothing is taken back, if some of it has left already
   */
  public boolean rewind(long position) {
    if (position < flushed) {
      return false;
    }
    json.position((int) (position - flushed));
    return true;
  }

  /** Completes the answer. Of no effect after {@link #abort}. */
  public void end() {
    if (finished) {
      return;
    }
    finished = true;
    work.answered();
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
   * An engine that answers on the calling thread must have returned before it is resumed: while our
   * own work is still on the stack, waiting for the socket begins in {@link #leave}.
   */
  @SuppressWarnings("ReferenceEquality") // threads have no other equality
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

  /** A task of the work leaves this thread; it may have begun again on another by now. */
  @SuppressWarnings("ReferenceEquality") // threads have no other equality
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

  /** The transport has sent what it kept. Called on its thread. */
  void drained() {
    var task = next;
    next = null;
    if (task != null) {
      work.dispatcher().resume(work, task);
    }
  }
}
