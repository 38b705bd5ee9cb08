// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of a call whose messages a protocol carries by its own means. It is dispatched, limited,
 * watched and begun again as that of any request; the protocol answers.
 */
public final class CallExchange extends BackgroundExchange {

  /** Who answers. */
  public interface Caller {

    /**
     * It has ended early: was not let in, took too long, was cancelled, or its work threw. Once,
     * unless it was completed before; on any thread. What may leave the process is in the message.
     */
    void failed(EvitaException problem);

    /**
     * The schema was read again, and the work is to begin anew. On a thread that must not block.
     */
    void again();
  }

  private final Caller caller;
  private final Object client;
  private final BiConsumer<Exchange, Runnable> afterRefresh;
  private volatile boolean answering;

  CallExchange(
      Dispatcher dispatcher,
      BiConsumer<Exchange, Runnable> afterRefresh,
      Caller caller,
      @Nullable Object client,
      long deadlineNanos) {
    super(dispatcher, deadlineNanos);
    this.afterRefresh = afterRefresh;
    this.caller = caller;
    this.client = client == null ? this : client;
  }

  @Override
  Object client() {
    return client;
  }

  /** The failure of a call that is ended early. */
  public static EvitaException failure(ErrorCode reason) {
    return Dispatcher.failure(reason);
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
    return tell(answer);
  }

  /** Runs the next piece of the work on a worker, for which it was let in before. */
  public void resume(Runnable work) {
    dispatcher().resume(this, work);
  }

  /** The deadline holds from now on, though nothing runs yet: more is to come from the client. */
  public void awaitClient() {
    dispatcher().watch(this);
  }

  /**
   * It has no end of its own: from now on no deadline holds, another may be let in instead, and the
   * server's stop ends it.
   */
  public void stayOpen() {
    openEnd();
    dispatcher().unending(this);
  }

  @Override
  public void fail(Throwable failure) {
    tell(() -> caller.failed(report(failure)));
  }

  @Override
  boolean arriveAgain() {
    afterRefresh.accept(this, caller::again);
    return true;
  }

  @Override
  boolean committed() {
    return answering;
  }

  @Override
  boolean write(byte[] bytes, int length, boolean last) {
    throw new IllegalStateException("its caller writes");
  }
}
