// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that end at once, on other threads, or never return. */
@Timeout(60)
final class StepLoopTest {

  private static final int STEPS = 100_000;

  private final ExecutorService others = Executors.newFixedThreadPool(3);
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  @AfterEach
  void stop() {
    others.shutdownNow();
  }

  /** A loop of so many steps, of which one runs at a time; {@code ending} ends each. */
  private StepLoop loop(int steps, Consumer<Runnable> ending) {
    var loop = new StepLoop[1];
    loop[0] =
        new StepLoop(() -> {
          if (begun.get() == steps) {
            over.complete(null);
            return false;
          }
          if (running.incrementAndGet() != 1) {
            over.completeExceptionally(new AssertionError("two steps at a time"));
          }
          begun.incrementAndGet();
          ending.accept(() -> {
            running.decrementAndGet();
            loop[0].ended();
          });
          return true;
        });
    return loop[0];
  }

  @Test
  void steps_endingAtOnce_doNotDeepenTheStack() {
    loop(STEPS, Runnable::run).run();
    over.join();
    assertThat(begun).hasValue(STEPS);
  }

  @Test
  void steps_endingOnOtherThreads_runSequentially() {
    loop(STEPS, others::execute).run();
    over.join();
    assertThat(begun).hasValue(STEPS);
  }

  @Test
  void steps_endingAnywhere_runSequentially() {
    loop(
            STEPS,
            end -> {
              if (ThreadLocalRandom.current().nextBoolean()) {
                end.run();
              } else {
                others.execute(end);
              }
            })
        .run();
    over.join();
    assertThat(begun).hasValue(STEPS);
  }

  /** Like a driver call that was abandoned by a timer. */
  @Test
  void step_notReturning_doesNotBlockOthers() throws InterruptedException {
    var stuck = new CountDownLatch(1);
    var loop =
        loop(
            3,
            end -> {
              if (begun.get() == 1) {
                others.execute(end);
                try {
                  stuck.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              } else {
                end.run();
              }
            });
    var first = Thread.ofPlatform().start(loop::run);
    over.join();
    assertThat(begun).hasValue(3);
    stuck.countDown();
    first.join();
    assertThat(begun).hasValue(3);
  }
}
