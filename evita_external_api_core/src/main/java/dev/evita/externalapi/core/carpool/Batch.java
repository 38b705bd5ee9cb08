// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.ErrorCode;
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
      var key = queue.statement().conflictKey(member.arguments());
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

  /** The database has finished: the next batch may begin. Idempotent. */
  public void executed() {
    if (over.compareAndSet(false, true)) {
      queue.executed(this);
    }
  }

  /** Executes members again, each one alone, as they cannot share a statement. */
  public void split(List<BatchMember> again) {
    queue.split(again);
  }
}
