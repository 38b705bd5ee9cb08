// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The way that is better under load is kept. */
final class CarpoolTrialTest {

  private static final int CLIENTS = 8;

  private static final RowSink SINK =
      new RowSink() {
        @Override
        public Demand row(Row row) {
          return Demand.MORE;
        }

        @Override
        public void completed(long affected) {}

        @Override
        public void failed(EvitaException failure) {}
      };

  private long now;

  /** Runs a closed loop of clients; an execution takes as long as the present way does. */
  private void load(CarpoolTrial trial, long seconds, long sharedMicros, long singleMicros) {
    var end = now + TimeUnit.SECONDS.toNanos(seconds);
    var running = new ArrayDeque<RowSink>();
    while (now < end) {
      running.add(trial.observe(SINK, CLIENTS));
      if (running.size() == CLIENTS) {
        var micros = trial.shares() ? sharedMicros : singleMicros;
        now += TimeUnit.MICROSECONDS.toNanos(micros) / CLIENTS;
        running.remove().completed(1);
      }
    }
    running.forEach(each -> each.completed(1));
  }

  private CarpoolTrial trial(boolean shares) {
    return new CarpoolTrial(CarpoolMode.AUTO, shares, () -> now);
  }

  @Test
  void faster_otherWay_isKept() {
    var trial = trial(false);
    load(trial, 60, 1_000, 3_000);
    assertThat(trial.shares()).isTrue();
  }

  @Test
  void slower_otherWay_isLeftAgain() {
    var trial = trial(true);
    load(trial, 60, 1_000, 3_000);
    assertThat(trial.shares()).isTrue();
    load(trial, 1_200, 3_000, 1_000);
    assertThat(trial.shares()).isFalse();
  }

  @Test
  void equalWays_changeNothing() {
    var trial = trial(true);
    load(trial, 60, 1_000, 1_000);
    assertThat(trial.shares()).isTrue();
  }

  /** Too few executions complete in a window. */
  @Test
  void littleLoad_changesNothing() {
    var trial = trial(true);
    load(trial, 60, 90_000, 30_000);
    assertThat(trial.shares()).isTrue();
  }

  @Test
  void on_isNotMeasured() {
    var trial = new CarpoolTrial(CarpoolMode.ON, false, () -> now);
    load(trial, 60, 3_000, 1_000);
    assertThat(trial.shares()).isTrue();
    assertThat(trial.observe(SINK, CLIENTS)).isSameAs(SINK);
  }
}
