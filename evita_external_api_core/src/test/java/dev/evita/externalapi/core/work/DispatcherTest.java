// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.EmptyEngine;
import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time is what the test says it is. */
@Timeout(30)
final class DispatcherTest {

  private final AtomicLong now = new AtomicLong(1);
  private final Dispatcher dispatcher =
      new Dispatcher(Limits.DEFAULT, 1, 1, now::get, new EmptyEngine());

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private TestOwner owner() {
    return new TestOwner(dispatcher);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void plan_thatOverrunsThreeTimes_leavesTheCallingThread() {
    var plan = new PlacementHistory("slow");
    for (int i = 0; i < 3; i++) {
      assertThat(plan.demoted(now.get())).isFalse();
      var owner = owner();
      dispatcher.dispatch(
          owner.work,
          plan,
          true,
          () -> {
            pass(Duration.ofMillis(21));
            owner.complete();
          });
      assertThat(owner.outcome).isCompleted();
    }
    assertThat(plan.demoted(now.get())).isTrue();
    var thread = new CompletableFuture<Thread>();
    var owner = owner();
    dispatcher.dispatch(
        owner.work,
        plan,
        true,
        () -> {
          thread.complete(Thread.currentThread());
          owner.complete();
        });
    assertThat(thread.join()).isNotSameAs(Thread.currentThread());
  }

  @Test
  void plan_thatIsQuick_staysOnTheCallingThread() {
    var plan = new PlacementHistory("quick");
    for (int i = 0; i < 10; i++) {
      var owner = owner();
      dispatcher.dispatch(
          owner.work,
          plan,
          true,
          () -> {
            pass(Duration.ofMillis(19));
            owner.complete();
          });
    }
    assertThat(plan.demoted(now.get())).isFalse();
    assertThat(dispatcher.running()).isZero();
  }

  @Test
  void request_thatWaitsPastItsDeadline_isAnsweredInPlaceOfTheWorker() throws Exception {
    var begun = new CompletableFuture<Void>();
    var release = new CompletableFuture<Void>();
    var first = owner();
    dispatcher.dispatch(
        first.work,
        new PlacementHistory("blocking"),
        false,
        () -> {
          begun.complete(null);
          release.join();
          first.complete();
        });
    begun.join();
    var second = owner();
    var ran = new CompletableFuture<Void>();
    dispatcher.dispatch(
        second.work, new PlacementHistory("waiting"), false, () -> ran.complete(null));
    var third = owner();
    dispatcher.dispatch(
        third.work, new PlacementHistory("too many"), false, () -> ran.complete(null));
    assertThat(third.outcome.join()).contains(ErrorCode.OVERLOADED);
    assertThat(second.outcome).isNotDone();
    pass(Duration.ofSeconds(31));
    assertThat(second.outcome.get(20, TimeUnit.SECONDS)).contains(ErrorCode.DEADLINE_EXCEEDED);
    release.complete(null);
    assertThat(ran).isNotDone();
  }

  /** It may hold what the workers wait for. */
  @Test
  void workThatGoesOn_needsNoWorker() throws Exception {
    var begun = new CompletableFuture<Void>();
    var release = new CompletableFuture<Void>();
    var waiting = owner();
    dispatcher.dispatch(
        waiting.work,
        new PlacementHistory("waiting"),
        false,
        () -> {
          begun.complete(null);
          release.join();
          waiting.complete();
        });
    begun.join();
    var holding = owner();
    dispatcher.resume(
        holding.work,
        () -> {
          release.complete(null);
          holding.complete();
        });
    assertThat(waiting.outcome.get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(holding.outcome.get(20, TimeUnit.SECONDS)).isEmpty();
  }
}
