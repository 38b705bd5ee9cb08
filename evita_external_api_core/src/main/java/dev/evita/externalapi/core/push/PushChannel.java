// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A connection that stays open, over which the server says something now and then.
 *
 * <pre>
 *   offer(message) --> waiting --its turn--> message.next() --> socket --taken--> message.sent()
 *                                              (one at a time)
 * </pre>
 *
 * <p>What waits are messages that have not been made yet: a source of many results offers itself
 * once, and says the latest when its turn comes. So a client that reads slowly costs one message,
 * not all of them. One that takes no message for longer than {@code slow-client-timeout} is cut
 * off.
 *
 * <p>Thread-safe.
 */
public abstract sealed class PushChannel permits EventStream, WebSocket {

  /** Something to say once it is its turn. Its methods are called on the connection's thread. */
  public interface Message {

    /**
     * The bytes, made now; they are not changed any more.
     *
     * @return null if there is nothing to say any more; {@link #sent} is not called then
     */
    byte @Nullable [] next();

    /** The socket has taken all bytes: another may be offered. Must not block. */
    default void sent() {}
  }

  private final PushChannels outlets;
  private final Deque<Message> waiting = new ArrayDeque<>(2);
  private @Nullable Message inFlight;
  private boolean pumping;
  private boolean ending;
  private boolean closed;
  private volatile boolean writing;
  private volatile long sinceNanos;
  private @Nullable Runnable whenClosed;

  PushChannel(PushChannels outlets) {
    this.outlets = outlets;
    this.sinceNanos = outlets.now();
  }

  /** Says this after what waits already. Of no effect once the connection ends. */
  public final void offer(Message message) {
    synchronized (this) {
      if (closed || ending) {
        return;
      }
      waiting.add(message);
      if (pumping || inFlight != null) {
        return;
      }
      pumping = true;
    }
    onThread(this::pump);
  }

  /** How many messages wait for their turn. */
  public final synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Runs this once, when the connection has ended for whatever reason; at once if it has already.
   * Replaces what was given before.
   */
  public final void whenClosed(Runnable task) {
    synchronized (this) {
      if (!closed) {
        whenClosed = task;
        return;
      }
    }
    task.run();
  }

  /**
   * Runs this on the connection's thread after a while, unless it has ended by then.
   *
   * @param delay above zero
   */
  public final void after(Duration delay, Runnable task) {
    afterwards(
        delay,
        () -> {
          if (!closed()) {
            task.run();
          }
        });
  }

  /**
   * Ends the connection after what is in flight.
   *
   * @param discard whether what waits is not sent any more
   */
  final void end(boolean discard) {
    synchronized (this) {
      if (closed || ending) {
        return;
      }
      ending = true;
      if (discard) {
        waiting.clear();
      }
      if (pumping || inFlight != null) {
        return;
      }
      pumping = true;
    }
    onThread(this::pump);
  }

  private void pump() {
    while (true) {
      Message message;
      synchronized (this) {
        message = closed ? null : waiting.poll();
        inFlight = message;
        pumping = message != null;
      }
      if (message == null) {
        drained();
        return;
      }
      var bytes = message.next();
      if (bytes == null) {
        continue;
      }
      sinceNanos = outlets.now();
      writing = true;
      if (!write(bytes)) {
        return;
      }
      writing = false;
      message.sent();
    }
  }

  private void drained() {
    boolean finish;
    synchronized (this) {
      finish = ending && !closed;
    }
    if (finish) {
      finish();
    }
  }

  /** The socket has taken what {@link #write} left over. On the connection's thread. */
  public final void written() {
    writing = false;
    Message message;
    synchronized (this) {
      message = inFlight;
    }
    if (message != null) {
      message.sent();
    }
    pump();
  }

  /** The transport is done with this connection. May come any number of times. */
  public final void markClosed() {
    Runnable task;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      waiting.clear();
      inFlight = null;
      task = whenClosed;
      whenClosed = null;
    }
    outlets.closed(this);
    if (task != null) {
      task.run();
    }
  }

  final synchronized boolean closed() {
    return closed;
  }

  final synchronized boolean ending() {
    return ending;
  }

  /** Looks whether the client still reads, and whether it is time for a sign of life. */
  final void tick(long now) {
    var silent = now - sinceNanos;
    if (writing || ending()) {
      if (silent > outlets.slowNanos()) {
        abort();
      }
    } else if (silent > outlets.heartbeatNanos()) {
      sinceNanos = now;
      heartbeat(now);
    }
  }

  final PushChannels outlets() {
    return outlets;
  }

  /**
   * Writes one message; on the connection's thread.
   *
   * @return whether the socket took all of it; if not, {@link #written} follows
   */
  abstract boolean write(byte[] bytes);

  /** Says goodbye, as nothing is in flight any more; on the connection's thread. */
  abstract void finish();

  /** The server stops: ends soon. */
  abstract void drain();

  /** Shows the client, and all between, that the server is there. */
  abstract void heartbeat(long now);

  /** Cuts the connection. Thread-safe. */
  abstract void abort();

  abstract void onThread(Runnable task);

  abstract void afterwards(Duration delay, Runnable task);
}
