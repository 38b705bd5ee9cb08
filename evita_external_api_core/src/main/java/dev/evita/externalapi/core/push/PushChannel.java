// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A long-lived connection over which the server pushes messages.
 *
 * <pre>
 * offer(message) --> waiting --next in line--> message.next() --> socket --taken--> message.sent()
 *                                            (one at a time)
 * </pre>
 *
 * <p>Queued messages have not been encoded yet: a source of many results offers itself once, and
 * encodes the latest one when it is next. So a slow consumer costs one message, not all of them.
 * One that takes no message for longer than {@code slow-client-timeout} is disconnected.
 *
 * <p>Thread-safe.
 */
public abstract sealed class PushChannel permits EventStream, WebSocket {

  /** A message that is encoded when it is next in line. Called on the connection's thread. */
  public interface Message {

    /**
     * Encodes the message; the bytes are not modified afterwards.
     *
     * @return null if there is nothing left to send; {@link #sent} is not called then
     */
    byte @Nullable [] next();

    /** The socket has taken all bytes: another message may be offered. Must not block. */
    default void sent() {}
  }

  private final PushChannels pushChannels;
  private final Deque<Message> waiting = new ArrayDeque<>(2);
  private @Nullable Message inFlight;
  private boolean pumping;
  private boolean ending;
  private boolean closed;
  private volatile boolean writing;
  private volatile long sinceNanos;
  private @Nullable Runnable whenClosed;

  PushChannel(PushChannels pushChannels) {
    this.pushChannels = pushChannels;
    this.sinceNanos = pushChannels.now();
  }

  /** Queues a message. No effect once the connection is ending. */
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

  /** The number of queued messages. */
  public final synchronized int waiting() {
    return waiting.size();
  }

  /**
   * Runs a task once, when the connection has ended for whatever reason; at once if it has already.
   * Replaces the previous task.
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
   * Runs a task on the connection's thread after a delay, unless the connection has ended by then.
   *
   * @param delay positive
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
   * Ends the connection after the message in flight.
   *
   * @param discard whether queued messages are dropped
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
      sinceNanos = pushChannels.now();
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

  /** The socket has taken the remainder of {@link #write}. On the connection's thread. */
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

  /** Marks the connection as closed by the transport. May be called any number of times. */
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
    pushChannels.closed(this);
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

  /** Disconnects a slow consumer, or sends a heartbeat if one is due. */
  final void tick(long now) {
    var silent = now - sinceNanos;
    if (writing || ending()) {
      if (silent > pushChannels.slowNanos()) {
        abort();
      }
    } else if (silent > pushChannels.heartbeatNanos()) {
      sinceNanos = now;
      heartbeat(now);
    }
  }

  final PushChannels pushChannels() {
    return pushChannels;
  }

  /**
   * Writes one message; on the connection's thread.
   *
   * @return whether the socket took all of it; if not, {@link #written} follows
   */
  abstract boolean write(byte[] bytes);

  /** Ends the connection, with no message in flight; on the connection's thread. */
  abstract void finish();

  /** Ends soon, as the server shuts down. */
  abstract void drain();

  /** Sends a keep-alive. */
  abstract void heartbeat(long now);

  /** Aborts the connection. Thread-safe. */
  abstract void abort();

  abstract void onThread(Runnable task);

  abstract void afterwards(Duration delay, Runnable task);
}
