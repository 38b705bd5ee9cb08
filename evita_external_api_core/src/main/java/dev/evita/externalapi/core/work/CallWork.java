// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.EvitaException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of a call whose messages a protocol carries by its own means. It is dispatched, limited,
 * watched and begun again as that of any request; the protocol answers.
 */
public final class CallWork implements Work.Owner {

  /** Answers the call. */
  public interface Caller {

    /**
     * It has ended early: was not admitted, took too long, was cancelled, or its work threw. Once,
     * unless it was completed before; on any thread. What may leave the process is in the message.
     */
    void failed(EvitaException problem);

    /**
     * The schema was read again, and the work is to begin anew. On a thread that must not block.
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

  /** A part of the answer leaves, so that it cannot begin again. */
  public void answering() {
    answering = true;
  }

  /**
   * It is done, unless it has failed before.
   *
   * @param answer sends the last of it
   * @return whether that was run
   */
  public boolean complete(Runnable answer) {
    return outcome.settle(work, answer);
  }

  /** The deadline holds from now on, though nothing runs yet: more is to come from the client. */
  public void awaitClient() {
    work.dispatcher().watch(work);
  }

  /**
   * It has no end of its own: from now on no deadline holds, other work may be admitted instead,
   * and the server's stop ends it.
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
  public void lapse() {
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
