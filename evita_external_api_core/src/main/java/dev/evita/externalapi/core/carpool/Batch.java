// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The members that share a statement. Its statement is cancelled once all members are. */
public final class Batch {

  private final BatchQueue queue;
  private final List<BatchMember> members;
  private final Set<Object> conflictKeys = new HashSet<>();
  private final AtomicInteger staying;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode abandoned;

  Batch(BatchQueue queue, List<BatchMember> members) {
    this.queue = queue;
    this.members = members;
    this.staying = new AtomicInteger(members.size());
    for (var member : members) {
      var key = member.conflictKey();
      if (key != null) {
        conflictKeys.add(key);
      }
      member.joined(this);
    }
  }

  List<BatchMember> members() {
    return members;
  }

  Set<Object> conflictKeys() {
    return conflictKeys;
  }

  /** Registers the execution of the statement. */
  public void started(Execution started) {
    execution = started;
    var reason = abandoned;
    if (reason != null) {
      started.cancel(reason);
    }
  }

  /** Whether a member that leaves may have written. */
  boolean writes() {
    return queue.statement().writes();
  }

  /** A member was cancelled. */
  void left(ErrorCode reason) {
    if (staying.decrementAndGet() > 0) {
      return;
    }
    abandoned = reason;
    var running = execution;
    if (running != null) {
      running.cancel(reason);
    }
  }

  /** Runs a task on another thread, if other members would wait for it; returns whether it will. */
  boolean handOver(Runnable task) {
    return members.size() > 1 && queue.handOver(task);
  }

  /** The database has finished: the next batch may begin. Idempotent. */
  public void executed() {
    if (over.compareAndSet(false, true)) {
      queue.executed(this);
    }
  }

  /** Executes some members again, each one alone, as they cannot share a statement. */
  public void againAlone(List<BatchMember> members) {
    queue.again(members.stream().map(List::of).toList());
  }

  /** Executes some members again, together. */
  public void again(List<BatchMember> members) {
    if (!members.isEmpty()) {
      queue.again(List.of(members));
    }
  }

  /**
   * Ends the members after a failure that one of them may have caused: halves are executed again,
   * until it fails alone. To be called after {@link #executed}.
   */
  public void failed(EvitaException failure) {
    if (members.size() == 1 || isForAll(failure.code())) {
      members.forEach(member -> member.fail(failure));
    } else {
      var half = members.size() / 2;
      queue.again(List.of(members.subList(0, half), members.subList(half, members.size())));
    }
  }

  /** Whether a failure is the same for each member. */
  public static boolean isForAll(EvitaException.Code code) {
    return switch (code) {
      case ErrorCode.DATABASE_UNREACHABLE,
          ErrorCode.STORAGE_FAILED,
          ErrorCode.POOL_EXHAUSTED,
          ErrorCode.OVERLOADED,
          ErrorCode.SHUTTING_DOWN,
          ErrorCode.CATALOG_CHANGED,
          ErrorCode.COMMIT_UNKNOWN ->
          true;
      default -> false;
    };
  }
}
