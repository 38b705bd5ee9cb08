// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.Insert;
import dev.evita.api.Prepared;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Concurrency, several engines, and closing. */
interface LifecycleSuite extends EngineSuite {

  private static int threads() {
    return 8;
  }

  private void onManyThreads(Callable<Void> work) throws InterruptedException {
    try (var executor = Executors.newFixedThreadPool(threads())) {
      var results = new ArrayList<Future<Void>>();
      for (int i = 0; i < threads(); i++) {
        results.add(executor.submit(work));
      }
      for (var result : results) {
        result.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  @Test
  default void onePrepared_onManyThreads_isCorrect() throws InterruptedException {
    var bind = new Bindings();
    Prepared prepared = db().prepare(select("readings", "id", "label").where(bind.equal("id", 0)));
    onManyThreads(() -> {
      for (int run = 0; run < 200; run++) {
        var id = run % Shop.READINGS + 1;
        var sink = new CollectingSink();
        prepared.run(Arguments.of(id), null, sink);
        assertThat(sink.await(EngineDriver.PATIENCE).rows())
            .containsExactly(row(id, "label" + id % 5));
      }
      return null;
    });
  }

  @Test
  default void manyShapes_onManyThreads_areCorrect() throws InterruptedException {
    var names = List.of("id", "name", "brand_id", "price", "stock");
    onManyThreads(() -> {
      for (int run = 0; run < 100; run++) {
        var bind = new Bindings();
        var columns = names.subList(run % names.size(), names.size());
        var select =
            select("products", columns.toArray(String[]::new)).where(bind.equal("id", 1 + run % 8));
        assertThat(db().rows(select, bind).getFirst()).hasSize(columns.size());
      }
      return null;
    });
  }

  @Test
  default void writes_onManyThreads_areAllStored() throws InterruptedException {
    var next = new AtomicInteger();
    onManyThreads(() -> {
      for (int run = 0; run < 25; run++) {
        var id = next.incrementAndGet();
        var bind = new Bindings();
        var insert =
            new Insert(
                db().table("items"),
                List.of("id", "code", "quantity"),
                bind.rows(List.of(row(id, "c" + id, 1))),
                null,
                List.of());
        db().affected(insert, bind);
      }
      return null;
    });
    assertThat(db().column(select("items", "id"))).hasSize(threads() * 25).doesNotHaveDuplicates();
  }

  @Test
  default void anotherEngine_sharesNoState() {
    try (var another = openAnother()) {
      assertThat(another.catalog().tables()).isEmpty();
    }
    assertThat(db().column(select("brands", "id"))).hasSize(3);
  }

  private void withSmallTable(Engine engine) {
    var fixture = fixtureOf(engine);
    fixture.createTable(Shop.small("t"));
    fixture.insert("t", List.of("id"), List.of(row(1), row(2), row(3)));
    engine.refresh();
  }

  private static Select all(Engine engine) {
    var table = new TableName(engine.catalog().defaultSchema(), "t");
    return Select.of(table, EngineSuite.columns("id"));
  }

  @Test
  default void close_isIdempotentAndLaterExecutionsFail() {
    var another = openAnother();
    withSmallTable(another);
    var prepared = another.prepare(all(another));
    another.close();
    another.close();
    var sink = new CollectingSink();
    prepared.run(Arguments.NONE, null, sink);
    var failure = Objects.requireNonNull(sink.await(EngineDriver.PATIENCE).failure());
    assertThat(failure.code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
  }

  @Test
  default void close_endsPausedExecutions() {
    var another = openAnother();
    withSmallTable(another);
    var sink = CollectingSink.demanding(count -> Demand.PAUSE);
    another.prepare(all(another)).run(Arguments.NONE, null, sink);
    sink.awaitPause(EngineDriver.PATIENCE);
    another.close();
    sink.await(EngineDriver.PATIENCE);
    assertThat(Objects.requireNonNull(sink.failure()).code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
  }
}
