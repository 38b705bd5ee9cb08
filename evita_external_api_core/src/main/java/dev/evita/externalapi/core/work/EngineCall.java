// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call into the engine that may block the calling thread, or never return: to begin, commit or
 * roll back a transaction. It is continued once: with its outcome or, if it is abandoned before
 * that, without one.
 *
 * <pre>
 * start --outcome--> then(value or problem)
 * '-----abandon---> then(problem) ... late(value)
 * </pre>
 */
public final class EngineCall<T> {

  /** How long the engine may take to return from a cancelled call. */
  public static final Duration GRACE = Duration.ofMillis(200);

  private final AtomicReference<@Nullable BiConsumer<@Nullable T, @Nullable Throwable>> then;
  private final Consumer<T> late;

  private EngineCall(BiConsumer<@Nullable T, @Nullable Throwable> then, Consumer<T> late) {
    this.then = new AtomicReference<>(then);
    this.late = late;
  }

  /**
   * Prepares a call.
   *
   * @param then continues: with the problem, or with null and the outcome, which may be null as
   *     well; on the calling thread, the engine's, or the one that abandons the call
   */
  public static <T> EngineCall<T> then(BiConsumer<@Nullable T, @Nullable Throwable> then) {
    return new EngineCall<>(then, outcome -> {});
  }

  /**
   * Prepares a call whose outcome must be closed.
   *
   * @param late receives an outcome that comes after the call was abandoned
   */
  public static <T> EngineCall<T> then(
      BiConsumer<@Nullable T, @Nullable Throwable> then, Consumer<T> late) {
    return new EngineCall<>(then, late);
  }

  /** Makes the call. An exception is its outcome as well. */
  public void start(Supplier<CompletionStage<T>> call) {
    CompletionStage<T> stage;
    try {
      stage = call.get();
    } catch (RuntimeException e) {
      stage = CompletableFuture.failedFuture(e);
    }
    var unused = stage.whenComplete(this::complete);
  }

  private void complete(@Nullable T outcome, @Nullable Throwable problem) {
    var next = then.getAndSet(null);
    if (next != null) {
      next.accept(outcome, problem);
    } else if (outcome != null) {
      late.accept(outcome);
    }
  }

  /** Continues with this problem, unless there is an outcome already. */
  public void abandon(Throwable problem) {
    complete(null, problem);
  }
}
