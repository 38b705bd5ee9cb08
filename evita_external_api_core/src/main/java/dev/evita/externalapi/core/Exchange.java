// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer, with or without a socket.
 *
 * <p>Used by one thread at a time. Whoever handles it must end it exactly once: by {@link #send},
 * {@link #fail}, or {@link #respond} and then {@link ResponseBody#end} or {@link
 * ResponseBody#abort}.
 */
public abstract sealed class Exchange
    permits UndertowExchange, InProcessExchange, BackgroundExchange {

  /** A schema that changes faster than this many attempts is told of. */
  private static final int MOST_RESTARTS = 5;

  /** How long a client may take to read that its request took too long, or was cancelled. */
  private static final long READ_REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Dispatcher dispatcher;
  private final long deadlineNanos;
  private @Nullable ResponseBody responseBody;
  private @Nullable EventStream events;
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode expired;
  private volatile Dispatcher.@Nullable Turn turn;
  private volatile long pausedNanos;
  private int restarts;
  private volatile boolean answered;
  private volatile long refusedNanos;
  private volatile boolean ended;
  private volatile boolean admitted;
  private volatile boolean openEnded;
  private volatile boolean committing;
  private @Nullable Api api;

  /**
   * @param deadlineNanos when it must be done, on the dispatcher's clock
   */
  Exchange(Dispatcher dispatcher, long deadlineNanos) {
    this.dispatcher = dispatcher;
    this.deadlineNanos = deadlineNanos;
  }

  /** The method, in upper case. */
  public abstract String method();

  /** The decoded path, from its slash, without the query. */
  public abstract String path();

  /** The query as it was sent, without its question mark; empty where there is none. */
  public abstract String query();

  /** The first value of a query parameter, decoded; null where it is absent. */
  public abstract @Nullable String queryParameter(String name);

  /**
   * The value of a header, by its name in any case; null where it is absent. What stands in several
   * lines is one list (RFC 9110, section 5.3).
   */
  public abstract @Nullable String header(String name);

  /** The complete body. Valid only until {@link Api#handle} returns; empty where there is none. */
  public abstract RequestBody body();

  /** Sets a header of the answer, before its first byte leaves; null takes it back. */
  public abstract void responseHeader(String name, @Nullable String value);

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

  /** Whether a part of an answer has left, so that no other can be given. */
  public final boolean answerHasLeft() {
    return committed();
  }

  /**
   * Answers a failure in the form of the API that the request is for; before that is known, by a
   * problem document (RFC 9457). Where a part of another answer has left already, closes the
   * connection, so that the client cannot take that part for the whole.
   */
  public void fail(Throwable failure) {
    var asked = api;
    if (asked == null || committed()) {
      Problems.answer(this, failure);
    } else {
      asked.refuse(this, failure);
    }
  }

  /** The API that the request is for is known. */
  final void isFor(Api asked) {
    api = asked;
  }

  /**
   * Logs a failure that is not the caller's.
   *
   * @return what may leave the process
   */
  public final EvitaException report(Throwable failure) {
    return dispatcher.faults().report(failure);
  }

  /** Where failures are logged that are not the caller's. */
  public final FaultLog faults() {
    return dispatcher.faults();
  }

  /** Whether a commit was begun that has not failed: what was written may be kept. */
  public final boolean committing() {
    return committing;
  }

  /** A commit begins, or has failed. */
  public final void committing(boolean begun) {
    committing = begun;
  }

  /**
   * Begins again, with the API of the schema as it is then: to be asked by a protocol instead of
   * answering {@code CATALOG_CHANGED}, for what was prepared before the schema changed.
   *
   * <p>Of no effect must have been what was done so far. Headers set for the answer stay.
   *
   * @return true: {@link Api#handle} is called once more, soon, on another thread, and this
   *     exchange must not be touched any more; false: nothing happened, as a part of the answer has
   *     left, or this was tried too often, or no request asked for it: so the failure is to be
   *     answered
   */
  public final boolean restart() {
    if (committed() || ended || expired != null || restarts == MOST_RESTARTS) {
      return false;
    }
    restarts++;
    execution = null;
    keepBody();
    dispatcher.watch(this);
    return arriveAgain();
  }

  /**
   * Tells that what was done so far has an effect, which doing it again would repeat: {@link
   * #restart} answers false from now on.
   */
  public final void mustNotRestart() {
    restarts = MOST_RESTARTS;
  }

  /**
   * Lets the server take it again, after it has looked for another schema.
   *
   * @return false where there was no request to begin with
   */
  abstract boolean arriveAgain();

  /** Makes the body last beyond {@link Api#handle}. Idempotent, thread-safe. */
  void keepBody() {}

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

  /**
   * To be asked before a request changes something that browsers send for any page without asking
   * first (Fetch, section 2.2.5), as a {@code POST} that need not have a content type of JSON.
   *
   * @throws EvitaException {@code ORIGIN_NOT_ALLOWED} if a page made it that is neither of this
   *     server nor among {@code cors-origins}
   */
  public void requireOwnPage() {}

  /** Whether the client asks for a WebSocket and the transport can have one. */
  public abstract boolean wantsWebSocket();

  /**
   * Makes this connection a WebSocket, which ends the exchange; or answers 426 where the request is
   * not one for it.
   *
   * @param protocols sub-protocols that the server speaks; the first of the client's that is among
   *     them is agreed on, else none
   * @param opened called on the connection's thread, before anything is received
   */
  public abstract void upgrade(
      Set<String> protocols, Function<WebSocket, WebSocketListener> opened);

  /**
   * Starts an answer of events, which ends this exchange when it ends. From now on no deadline
   * holds for it.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} where there is no connection to keep open
   */
  public final EventStream events() {
    var stream = new EventStream(outlets(), this);
    events = stream;
    openEnded = true;
    execution = null;
    dispatcher.released(this);
    responseHeader("Cache-Control", "no-cache");
    responseHeader("X-Accel-Buffering", "no");
    start(200, EventStream.MEDIA_TYPE + "; charset=utf-8");
    outlets().opened(stream);
    stream.onThread(this::watchClient);
    stream.heartbeat(0); // the head leaves with it, though there may be nothing to say for long
    return stream;
  }

  /**
   * Tells that a run or a transaction of this exchange waits for its client from now on, and keeps
   * from others what it holds in the engine. Where too many do, or somebody needs that for long,
   * the one that has waited longest is ended with {@code CLIENT_TOO_SLOW}. Thread-safe.
   */
  public final void paused() {
    dispatcher.paused(this);
  }

  /**
   * The client has gone on, and so does the work, which may have waited for a worker since.
   * Thread-safe; may come without {@link #paused}.
   */
  public final void goesOn() {
    if (pausedNanos != 0) {
      dispatcher.goesOn(this);
    }
  }

  /** Since when it is {@link #paused}; 0 while it is not. */
  final long pausedNanos() {
    return pausedNanos;
  }

  final void pausedNanos(long since) {
    pausedNanos = since;
  }

  /** Ends the work of this exchange early, as nobody wants its answer any more. Thread-safe. */
  public final void cancel() {
    expire(ErrorCode.CANCELLED);
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
    if (refusedNanos != 0 && dispatcher.now() - refusedNanos < READ_REFUSAL_NANOS) {
      return;
    }
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
    if (expired != null) {
      refusedNanos = dispatcher.now() | 1;
    }
  }

  /** Whose turn it is among those that wait for workers: the same object for all of a client's. */
  Object client() {
    return this;
  }

  final Dispatcher dispatcher() {
    return dispatcher;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  /** Why it is to end early; null if it is not. */
  final @Nullable ErrorCode expired() {
    return expired;
  }

  /** From now on no deadline holds for it. */
  final void openEnd() {
    openEnded = true;
  }

  /** Whether it may stay for ever. */
  final boolean openEnded() {
    return openEnded;
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

  /** Gives its place away. Answers whether it had one. */
  final synchronized boolean unadmit() {
    var had = admitted;
    admitted = false;
    return had;
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
    var stream = events;
    if (stream != null) {
      stream.markClosed();
    }
  }

  /** The transport has sent what it kept. Called on its thread. */
  final void drained() {
    var stream = events;
    var body = responseBody;
    if (stream != null) {
      stream.written();
    } else if (body != null) {
      body.drained();
    }
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
   *     #drained} once that has left
   */
  abstract boolean write(byte[] bytes, int length, boolean last);

  /** Lets the transport call {@link #drained} from now on. */
  abstract void awaitDrain();

  /** Closes the connection without completing the answer. Thread-safe. */
  abstract void abort();

  /** Runs this on the connection's thread, at once or soon. */
  abstract void onThread(Runnable task);

  /** Runs this on the connection's thread after a while. */
  abstract void afterwards(Duration delay, Runnable task);

  /** From now on, {@link #expire} is called when the client leaves. On the connection's thread. */
  abstract void watchClient();

  /** The server's connections that stay open. */
  abstract Outlets outlets();
}
