// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The executions of one operation: the first ones start at once, those that arrive while all lanes
 * are occupied share the next statement. There is no timer: an idle server adds no wait.
 *
 * <pre>
 * add --lane free--> batch of one --> executed --> the next batch: all that wait, up to the maximum
 *  '----occupied---> waiting ---------------------------^
 * </pre>
 *
 * <p>Thread-safe. Members are taken in the order of their arrival; one that conflicts with a batch
 * in execution, or with one before it, waits for the batch after it.
 */
final class BatchQueue {

  /** The array of keys remains small, and so does the delay of the first member by the others. */
  private static final int MAX_MEMBERS = 128;

  /** How many members that cannot join are passed over in search of others. */
  private static final int MAX_PASSED_OVER = 512;

  private final Carpool carpool;
  private final BatchedStatement statement;
  private final CarpoolTrial trial;

  // Guarded by this.
  private final ArrayDeque<BatchMember> waiting = new ArrayDeque<>();
  private final ArrayDeque<List<BatchMember>> again = new ArrayDeque<>();
  private final Set<Object> executing = new HashSet<>();
  private int running;

  private volatile boolean busy;
  private volatile int size;

  /**
   * @param trial decides whether executions use the queue
   */
  BatchQueue(Carpool carpool, BatchedStatement statement, CarpoolTrial trial) {
    this.carpool = carpool;
    this.statement = statement;
    this.trial = trial;
  }

  BatchedStatement statement() {
    return statement;
  }

  CarpoolTrial trial() {
    return trial;
  }

  /** Whether the calling thread may wait for the database. */
  boolean mayBlock() {
    return carpool.mayBlock();
  }

  /** Whether an execution would wait for a batch, and so would not occupy the calling thread. */
  boolean busy() {
    return busy;
  }

  /** The number of members that wait. */
  int size() {
    return size;
  }

  /** Executes an operation, now or with others. On an I/O thread it does not block. */
  void add(Prepared prepared, Arguments arguments, RowSink sink) {
    var member =
        new BatchMember(
            prepared,
            arguments,
            sink,
            statement.group(arguments),
            statement.conflictKey(arguments));
    member.start();
    if (member.ended()) {
      return;
    }
    Batch batch;
    synchronized (this) {
      if (running == statement.lanes() || !waiting.isEmpty()) {
        if (!carpool.admit()) {
          batch = null;
        } else {
          member.waits(carpool);
          waiting.add(member);
          size = waiting.size();
          batch = running == statement.lanes() ? null : take();
          if (batch == null) {
            return;
          }
        }
      } else {
        batch = begin(List.of(member));
      }
    }
    if (batch == null) {
      member.fail(carpool.overloaded());
    } else {
      start(batch);
    }
  }

  /** Holds the lock. */
  private Batch begin(List<BatchMember> members) {
    var batch = new Batch(this, members);
    executing.addAll(batch.conflictKeys());
    running++;
    busy = running == statement.lanes();
    return batch;
  }

  private void start(Batch batch) {
    if (mayBlock()) {
      run(batch);
    } else {
      handOver(batch);
    }
  }

  /** Runs a task on another thread. Returns false if the server was closed. */
  boolean handOver(Runnable task) {
    try {
      carpool.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void handOver(Batch batch) {
    if (!handOver(() -> run(batch))) {
      var closed = new EvitaException(ErrorCode.SHUTTING_DOWN, "The server is shutting down");
      batch.members().forEach(member -> member.fail(closed));
      batch.executed();
    }
  }

  private void run(Batch batch) {
    carpool.counters().batch(batch.members());
    try {
      statement.run(batch.members(), batch);
    } catch (RuntimeException | Error e) {
      // Not executed again: it may have written.
      var failure = EvitaException.from(e);
      batch.executed();
      batch.members().forEach(member -> member.fail(failure));
    }
  }

  /** A batch has left the database: starts the next one on another thread. */
  void executed(Batch batch) {
    Batch next;
    synchronized (this) {
      running--;
      executing.removeAll(batch.conflictKeys());
      next = take();
      busy = running == statement.lanes();
    }
    if (next != null) {
      handOver(next);
    }
  }

  /** Adds batches that are executed again, before all members that wait. */
  void again(List<List<BatchMember>> batches) {
    batches.forEach(each -> carpool.counters().split(each.size()));
    Batch next;
    synchronized (this) {
      again.addAll(batches);
      next = running < statement.lanes() ? take() : null;
    }
    if (next != null) {
      handOver(next);
    }
  }

  /** Takes the next batch. Holds the lock. */
  private @Nullable Batch take() {
    for (var part = again.poll(); part != null; part = again.poll()) {
      var staying = part.stream().filter(member -> !member.ended()).toList();
      if (!staying.isEmpty()) {
        return begin(staying);
      }
    }
    var members = new ArrayList<BatchMember>();
    var passedOver = new ArrayList<BatchMember>();
    var taken = new HashSet<Object>();
    Object group = null;
    while (members.size() < MAX_MEMBERS && passedOver.size() < MAX_PASSED_OVER) {
      var next = waiting.poll();
      if (next == null) {
        break;
      }
      if (next.ended()) {
        next.leaveQueue();
        continue;
      }
      var key = next.conflictKey();
      var mine = next.group();
      if ((group != null && !group.equals(mine))
          || (key != null && (executing.contains(key) || taken.contains(key)))) {
        passedOver.add(next);
        if (key != null) {
          taken.add(key); // a later one with this key must not overtake it
        }
        continue;
      }
      group = mine;
      if (key != null) {
        taken.add(key);
      }
      next.leaveQueue();
      members.add(next);
    }
    for (int i = passedOver.size() - 1; i >= 0; i--) {
      waiting.addFirst(passedOver.get(i));
    }
    size = waiting.size();
    return members.isEmpty() ? null : begin(members);
  }
}
