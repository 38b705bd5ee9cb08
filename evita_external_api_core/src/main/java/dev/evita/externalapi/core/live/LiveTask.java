// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.KeyValues;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.Work;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Work that is executed again whenever a table that it reads changes, one execution at a time and
 * limited together with others.
 *
 * <pre>
 * IDLE --changed--> WAITING --admitted--> RUNNING --changed--> STALE
 * ^                   ^                     |                   |
 * |                   '---------------------+------ended--------'
 * '--------ended: reported to its owner-----'       any state --end()--> ENDED
 * </pre>
 *
 * <p>While its owner holds it, no execution begins, and requests are kept. A rejected execution, or
 * one that finds a changed schema, is retried after a short delay.
 *
 * <p>Thread-safe. {@link #request}, {@link #release} and {@link #end} may call other owners' work:
 * they must be called without holding a lock. The other methods make no such calls.
 */
public final class LiveTask implements BackgroundWork.ResultListener {

  /** The work. Called without locks, one call at a time, on any thread. */
  public interface Task {

    /** Begins an execution, which must be dispatched to a worker and complete this response. */
    void begin(Response response);

    /**
     * An execution has succeeded. No other begins before this returns.
     *
     * @param version the table versions that it has read, to be kept for {@link LiveTask#current};
     *     empty if the tables have changed meanwhile
     */
    void completed(byte[] result, OptionalLong version);

    /** An execution has failed, and will fail again: the owner must call {@link LiveTask#end}. */
    void failed(EvitaException failure);
  }

  private enum State {
    IDLE,
    WAITING,
    RUNNING,
    STALE,
    ENDED
  }

  private final BackgroundWork background;
  private final CommitWatch tables;
  private final Task task;
  private Set<TableName> read = Set.of();
  private Engine.@Nullable Registration interest;
  private OptionalLong version = OptionalLong.empty();
  private State state = State.IDLE;
  private boolean held;
  private boolean due;
  private @Nullable Work running;

  /** Creates a task that watches no tables yet. */
  public LiveTask(BackgroundWork background, CommitWatch tables, Task task) {
    this.background = background;
    this.tables = tables;
    this.task = task;
  }

  /**
   * Watches these tables instead of the previous ones. To be called before the first execution, or
   * within one before it reads.
   *
   * @param rows see {@link CommitWatch#listen(Collection, Map, Runnable)}
   */
  public synchronized void watch(Collection<TableName> others, Map<TableName, KeyValues> rows) {
    if (state == State.ENDED) {
      return;
    }
    if (interest != null) {
      interest.close();
    }
    read = Set.copyOf(others);
    interest = tables.listen(read, rows, this::request);
    version = tables.version(read);
  }

  /** Whether no change since this version is known. */
  public synchronized boolean current(OptionalLong since) {
    return since.isPresent() && since.equals(tables.version(read));
  }

  /** Requests an execution that begins after this call. */
  public void request() {
    synchronized (this) {
      if (state == State.RUNNING) {
        state = State.STALE;
      }
      if (state != State.IDLE) {
        return;
      }
      if (held) {
        due = true;
        return;
      }
      state = State.WAITING;
    }
    background.runLimiter().submit(this::begin);
  }

  /** Lets no execution begin until {@link #release}; one in progress ends normally. */
  public synchronized void hold() {
    held = true;
  }

  /** Lets executions begin again; one that was requested meanwhile begins now. */
  public void release() {
    boolean again;
    synchronized (this) {
      held = false;
      again = due;
      due = false;
    }
    if (again) {
      request();
    }
  }

  private void begin() {
    Response response = null;
    synchronized (this) {
      if (state != State.ENDED) {
        state = State.RUNNING;
        version = tables.version(read);
        response = background.open(this);
        running = response.work();
      }
    }
    if (response == null) {
      background.runLimiter().done();
    } else {
      task.begin(response);
    }
  }

  @Override
  public void completed(byte[] result) {
    if (ran()) {
      task.completed(result, version());
      runNextIfDue();
    }
    background.runLimiter().done();
  }

  @Override
  public void failed(EvitaException failure) {
    if (failure.code() == ErrorCode.OVERLOADED) {
      background.later(this::begin); // keeps its place in the limiter
      return;
    }
    if (ran()) {
      if (failure.code() == ErrorCode.CATALOG_CHANGED) {
        idle();
        background.later(this::request); // by then the catalog may have been refreshed
      } else {
        task.failed(failure);
      }
    }
    background.runLimiter().done();
  }

  /** Returns whether the result is still needed. */
  private synchronized boolean ran() {
    running = null;
    return state != State.ENDED;
  }

  private synchronized OptionalLong version() {
    return state == State.STALE ? OptionalLong.empty() : version;
  }

  private synchronized void idle() {
    if (state != State.ENDED) {
      state = State.IDLE;
    }
  }

  private void runNextIfDue() {
    boolean again;
    synchronized (this) {
      again = state == State.STALE;
      if (state != State.ENDED) {
        state = State.IDLE;
      }
    }
    if (again) {
      request();
    }
  }

  /** Ends the task for good, and cancels an execution in progress. Idempotent. */
  public void end() {
    Work waits;
    synchronized (this) {
      state = State.ENDED;
      waits = running;
      running = null;
      if (interest != null) {
        interest.close();
        interest = null;
      }
    }
    if (waits != null) {
      waits.cancel();
    }
  }
}
