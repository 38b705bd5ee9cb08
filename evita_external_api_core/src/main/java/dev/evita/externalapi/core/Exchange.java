// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.Execution;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer, with or without a socket.
 *
 * <p>Used by one thread at a time. Whoever handles it must end it exactly once: by {@link #send},
 * {@link #fail}, or {@link #respond} and then {@link ResponseBody#end} or {@link
 * ResponseBody#abort}.
 */
public abstract sealed class Exchange permits UndertowExchange, InProcessExchange {

  private final Dispatcher dispatcher;
  private final long deadlineNanos;
  private @Nullable ResponseBody responseBody;
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode expired;
  private volatile Dispatcher.@Nullable Turn turn;
  private volatile boolean answered;
  private volatile boolean ended;
  private volatile boolean admitted;

  Exchange(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.deadlineNanos = dispatcher.deadline();
  }

  /** The method, in upper case. */
  public abstract String method();

  /** The decoded path, from its slash, without the query. */
  public abstract String path();

  /** The first value of a query parameter, decoded; null where it is absent. */
  public abstract @Nullable String queryParameter(String name);

  /** The first value of a header, by its name in any case; null where it is absent. */
  public abstract @Nullable String header(String name);

  /** The complete body. Valid only until {@link Api#handle} returns; empty where there is none. */
  public abstract RequestBody body();

  /** Sets a header of the answer, before its first byte leaves. */
  public abstract void responseHeader(String name, String value);

  /** Starts an answer whose body is written piece by piece. */
  public final ResponseBody respond(int status, String contentType) {
    start(status, contentType);
    var body = responseBody;
    if (body == null) {
      body = new ResponseBody(this);
      responseBody = body;
    } else {
      body.rewind(0);
    }
    return body;
  }

  /** Answers at once. */
  public final void send(int status, String contentType, byte[] body) {
    var response = respond(status, contentType);
    response.json().raw(body);
    response.end();
  }

  /**
   * Answers a problem document (RFC 9457). Where a part of another answer has left already, closes
   * the connection, so that the client cannot take that part for the whole.
   */
  public final void fail(Throwable failure) {
    Problems.answer(this, failure);
  }

  /**
   * Runs the work where it belongs: at once on this thread if it is bounded, else on a worker
   * thread. Where the queue for workers is full, the exchange fails with {@code OVERLOADED}.
   *
   * @param plan remembers whether {@code bounded} was a wrong guess
   * @param work must end the exchange, now or later; what it throws goes to {@link #fail}
   */
  public final void dispatch(Plan plan, boolean bounded, Runnable work) {
    dispatcher.dispatch(this, plan, bounded, work);
  }

  /**
   * To be called by each {@link dev.evita.api.RowSink#started}, so that the deadline and a lost
   * client reach the statement.
   */
  public final void started(Execution running) {
    execution = running;
    var reason = expired;
    if (reason != null) {
      running.cancel(reason);
    }
  }

  /** The limits that this exchange is held to. */
  public final Limits limits() {
    return dispatcher.limits();
  }

  /**
   * Ends this exchange early: cancels the statement that runs for it; answers where it still waits
   * for a worker; else closes the connection. Thread-safe; may come any number of times.
   */
  final void expire(ErrorCode reason) {
    expired = reason;
    var running = answered ? null : execution;
    var waiting = turn;
    if (running != null) {
      running.cancel(reason);
    } else if (waiting != null && waiting.take()) {
      fail(Dispatcher.failure(reason));
    } else {
      lapse();
    }
  }

  /** It is to end early, and there is no statement whose cancellation would end it. */
  void lapse() {
    abort();
  }

  /**
   * Finds out whether the client is still there. Called by the watchdog now and then while others
   * work for this exchange.
   */
  void probe() {}

  /** The next piece of work waits for its turn on a worker. */
  final void waits(Dispatcher.Turn next) {
    turn = next;
  }

  /** All of the answer is handed to the transport, so that no statement can matter any more. */
  final void answered() {
    answered = true;
  }

  final Dispatcher dispatcher() {
    return dispatcher;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  final boolean ended() {
    return ended;
  }

  /** Whether it takes a place among those that workers run or that wait for one. */
  final boolean admitted() {
    return admitted;
  }

  final void admit() {
    admitted = true;
  }

  /** The transport is done with this exchange, whether the answer was complete or not. */
  final void markEnded() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    dispatcher.ended(this);
  }

  final @Nullable ResponseBody responseBody() {
    return responseBody;
  }

  /** Sets status and content type of an answer of which nothing has left yet. */
  abstract void start(int status, String contentType);

  /** Whether any byte of the answer has left. */
  abstract boolean committed();

  /**
   * Writes without blocking.
   *
   * @param last whether these are the last bytes of the body; the transport then ends the exchange
   * @return whether all were taken; if not, it has kept a copy of the rest, and calls {@link
   *     ResponseBody#drained} once that has left
   */
  abstract boolean write(byte[] bytes, int length, boolean last);

  /** Lets the transport call {@link ResponseBody#drained} from now on. */
  abstract void awaitDrain();

  /** Closes the connection without completing the answer. Thread-safe. */
  abstract void abort();
}
