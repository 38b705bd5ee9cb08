// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.InProcessClient.Request;
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

  private static final Request REQUEST = Request.get("/");

  private final AtomicLong now = new AtomicLong(1);
  private final Dispatcher dispatcher =
      new Dispatcher(
          ServerOptions.builder().workerThreads(1).workerQueue(1).build(),
          now::get,
          new EmptyEngine());

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private InProcessExchange exchange() {
    dispatcher.begun();
    return new InProcessExchange(dispatcher, REQUEST, exchange -> {});
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private static void answer(Exchange exchange) {
    exchange.send(200, "text/plain", new byte[0]);
  }

  @Test
  void plan_thatOverrunsThreeTimes_leavesTheCallingThread() {
    var plan = new Plan("slow");
    for (int i = 0; i < 3; i++) {
      assertThat(plan.demoted(now.get())).isFalse();
      var exchange = exchange();
      dispatcher.dispatch(
          exchange,
          plan,
          true,
          () -> {
            pass(Duration.ofMillis(21));
            answer(exchange);
          });
      assertThat(exchange.response()).isCompleted();
    }
    assertThat(plan.demoted(now.get())).isTrue();
    var thread = new CompletableFuture<Thread>();
    var exchange = exchange();
    dispatcher.dispatch(
        exchange,
        plan,
        true,
        () -> {
          thread.complete(Thread.currentThread());
          answer(exchange);
        });
    assertThat(thread.join()).isNotSameAs(Thread.currentThread());
  }

  @Test
  void plan_thatIsQuick_staysOnTheCallingThread() {
    var plan = new Plan("quick");
    for (int i = 0; i < 10; i++) {
      var exchange = exchange();
      dispatcher.dispatch(
          exchange,
          plan,
          true,
          () -> {
            pass(Duration.ofMillis(19));
            answer(exchange);
          });
    }
    assertThat(plan.demoted(now.get())).isFalse();
    assertThat(dispatcher.running()).isZero();
  }

  @Test
  void request_thatWaitsPastItsDeadline_isAnsweredInPlaceOfTheWorker() throws Exception {
    var begun = new CompletableFuture<Void>();
    var release = new CompletableFuture<Void>();
    var first = exchange();
    dispatcher.dispatch(
        first,
        new Plan("blocking"),
        false,
        () -> {
          begun.complete(null);
          release.join();
          answer(first);
        });
    begun.join();
    var second = exchange();
    var ran = new CompletableFuture<Void>();
    dispatcher.dispatch(second, new Plan("waiting"), false, () -> ran.complete(null));
    var third = exchange();
    dispatcher.dispatch(third, new Plan("too many"), false, () -> ran.complete(null));
    assertThat(third.response().join().status()).isEqualTo(503);
    assertThat(second.response()).isNotDone();
    pass(Duration.ofSeconds(31));
    assertThat(second.response().get(20, TimeUnit.SECONDS).status()).isEqualTo(504);
    release.complete(null);
    assertThat(ran).isNotDone();
  }

  /** It may hold what the workers wait for. */
  @Test
  void workThatGoesOn_needsNoWorker() throws Exception {
    var begun = new CompletableFuture<Void>();
    var release = new CompletableFuture<Void>();
    var waiting = exchange();
    dispatcher.dispatch(
        waiting,
        new Plan("waiting"),
        false,
        () -> {
          begun.complete(null);
          release.join();
          answer(waiting);
        });
    begun.join();
    var holding = exchange();
    dispatcher.resume(
        holding,
        () -> {
          release.complete(null);
          answer(holding);
        });
    assertThat(waiting.response().get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    assertThat(holding.response().get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
  }
}
