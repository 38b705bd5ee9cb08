// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.EvitaException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of a call whose messages a protocol transfers by its own means. It is dispatched,
 * limited, watched and restarted like that of any request; the protocol sends the response.
 */
public final class CallWork implements Work.Owner {

  /** Sends the response of the call. */
  public interface Caller {

    /**
     * The work ended early: it was rejected, timed out, was cancelled, or threw. Called at most
     * once, and not after completion; on any thread. The message may be sent to the client.
     */
    void failed(EvitaException problem);

    /**
     * The catalog was read again, and the work must be restarted. On a thread that must not block.
     */
    void again();
  }

  private final Caller caller;
  private final BiConsumer<Work, Runnable> afterRefresh;
  private final Work work;
  private final Outcome outcome = new Outcome();
  private volatile boolean answering;

  public CallWork(
      Dispatcher dispatcher,
      BiConsumer<Work, Runnable> afterRefresh,
      Caller caller,
      @Nullable Object client,
      long deadlineNanos) {
    this.afterRefresh = afterRefresh;
    this.caller = caller;
    this.work = new Work(dispatcher, this, client, deadlineNanos);
  }

  /** The work. */
  public Work work() {
    return work;
  }

  /** A part of the response was sent, so that the work can no longer be restarted. */
  public void answering() {
    answering = true;
  }

  /**
   * Completes the work, unless it has failed before.
   *
   * @param sendEnd sends the end of the response
   * @return whether that was run
   */
  public boolean complete(Runnable sendEnd) {
    return outcome.settle(work, sendEnd);
  }

  /** Starts the deadline, though nothing runs yet: more input is expected from the client. */
  public void awaitClient() {
    work.dispatcher().watch(work);
  }

  /**
   * Marks the work as open-ended: it has no deadline any more, other work may be admitted instead,
   * and the server's shutdown ends it.
   */
  public void stayOpen() {
    work.openEnd();
    work.dispatcher().unending(work);
  }

  @Override
  public void fail(Throwable failure) {
    var unused = outcome.settle(work, () -> caller.failed(work.report(failure)));
  }

  @Override
  public void timeOut() {
    fail(Outcome.failure(work));
  }

  @Override
  public boolean again() {
    afterRefresh.accept(work, caller::again);
    return true;
  }

  @Override
  public boolean committed() {
    return answering;
  }
}
