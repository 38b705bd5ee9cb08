// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.EvitaException;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.WatchedEngine;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.work.Dispatcher;
import dev.evita.externalapi.core.work.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LiveTaskTest {

  private static final TableName A = new TableName("public", "a");
  private static final byte[] ANSWER = {1};

  private final WatchedEngine engine = new WatchedEngine(A);
  private final CommitWatch versions = new CommitWatch(engine, Duration.ofDays(1));
  private final Dispatcher dispatcher =
      new Dispatcher(Limits.DEFAULT, 1, 1, System::nanoTime, engine);
  private final PushChannels pushChannels = new PushChannels(Limits.DEFAULT);
  private final BackgroundWork background =
      new BackgroundWork(
          dispatcher,
          (exchange, task) -> {},
          pushChannels,
          ServerOptions.DEFAULT.feeds(),
          () -> true);

  @AfterEach
  void close() {
    dispatcher.close();
    pushChannels.close();
    versions.close();
  }

  /** Reads nothing; passes on what its owner would keep. */
  private final class Answers implements LiveTask.Task {

    private final LiveTask run = new LiveTask(background, versions, this);
    private final BiConsumer<LiveTask, OptionalLong> owner;
    private final List<OptionalLong> told = new ArrayList<>();
    private final Semaphore runs = new Semaphore(0);
    private @Nullable Runnable meanwhile;

    private Answers(BiConsumer<LiveTask, OptionalLong> owner) {
      this.owner = owner;
      run.watch(List.of(A), Map.of());
    }

    @Override
    public void begin(Response response) {
      var change = meanwhile;
      meanwhile = null;
      if (change != null) {
        change.run();
      }
      response.send(200, "text/plain", ANSWER);
    }

    @Override
    public void completed(byte[] answer, OptionalLong version) {
      told.add(version);
      owner.accept(run, version);
      runs.release();
    }

    @Override
    public void failed(EvitaException failure) {
      throw failure;
    }
  }

  /**
   * A subscriber notified by the owner may subscribe another one, which needs no execution of its
   * own.
   */
  @Test
  void result_duringDelivery_isCurrent() {
    var current = new ArrayList<Boolean>();
    var work = new Answers((run, version) -> current.add(run.current(version)));
    work.run.request();

    assertThat(current).containsExactly(true);
    assertThat(work.run.current(OptionalLong.empty())).isFalse();
    engine.commit(A);
    work.runs.acquireUninterruptibly(2);
    assertThat(work.run.current(work.told.getFirst())).isFalse();
    assertThat(work.run.current(work.told.getLast())).isTrue();
    work.run.end();
  }

  /** A change during an execution may or may not be in its result. */
  @Test
  void result_overtakenByAChange_isNotCurrent() {
    var work = new Answers((run, version) -> {});
    work.meanwhile = work.run::request;
    work.run.request();

    work.runs.acquireUninterruptibly(2);
    assertThat(work.told.getFirst()).isEmpty();
    assertThat(work.run.current(work.told.getLast())).isTrue();
    work.run.end();
  }

  @Test
  void requests_whileHeld_causeOneExecutionAfterRelease() {
    var work = new Answers((run, version) -> run.hold());
    work.run.request();
    assertThat(work.told).hasSize(1);

    work.run.request();
    work.run.request();
    assertThat(work.told).hasSize(1);
    work.run.release();
    assertThat(work.told).hasSize(2);
    work.run.release();
    assertThat(work.told).hasSize(2);
    work.run.request();
    assertThat(work.told).hasSize(3);
    work.run.end();
  }

  @Test
  void request_duringHeldExecution_isHeld() {
    var work =
        new Answers((run, version) -> {
          run.hold();
          run.request();
        });
    work.run.request();
    assertThat(work.told).hasSize(1);
    work.run.release();
    assertThat(work.told).hasSize(2);
    work.run.end();
    work.run.release();
    assertThat(work.told).hasSize(2);
  }

  /** As by a client whose socket takes a result at once. */
  @Test
  void release_beforeTheExecutionEnds_letsTheNextBegin() {
    var rounds = new ArrayList<Integer>();
    var work =
        new Answers((run, version) -> {
          run.hold();
          run.release();
          rounds.add(rounds.size());
          if (rounds.size() < 3) {
            run.request();
          }
        });
    work.run.request();
    work.runs.acquireUninterruptibly(3);
    assertThat(work.told).hasSize(3);
    work.run.end();
  }
}
