// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What the carpool has done so far. Thread-safe. */
public final class CarpoolCounters {

  private final LongAdder batches = new LongAdder();
  private final LongAdder members = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAdder splits = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final AtomicInteger largest = new AtomicInteger();

  /**
   * The counters at one moment.
   *
   * @param batches the number of statements that executed one or more members
   * @param members the number of executions in them
   * @param largest the number of members of the largest batch
   * @param waitNanos the sum of the times that members waited for their batch
   * @param splits the number of members that were executed again alone
   * @param rejected the number of executions that were refused as too many waited
   * @param waiting the number of executions that wait now
   */
  public record Snapshot(
      long batches,
      long members,
      int largest,
      long waitNanos,
      long splits,
      long rejected,
      int waiting) {}

  CarpoolCounters() {}

  void batch(List<BatchMember> batch) {
    var now = System.nanoTime();
    var waited = 0L;
    for (var member : batch) {
      waited += now - member.since();
    }
    batches.increment();
    members.add(batch.size());
    waitNanos.add(waited);
    if (batch.size() > largest.get()) {
      largest.accumulateAndGet(batch.size(), Math::max);
    }
  }

  void split(int again) {
    splits.add(again);
  }

  void rejected() {
    rejected.increment();
  }

  Snapshot snapshot(int waiting) {
    return new Snapshot(
        batches.sum(),
        members.sum(),
        largest.get(),
        waitNanos.sum(),
        splits.sum(),
        rejected.sum(),
        waiting);
  }
}
