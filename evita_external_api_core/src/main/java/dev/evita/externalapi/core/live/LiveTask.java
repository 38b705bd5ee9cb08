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
 * Work that is done again whenever a table changed that it reads, one run at a time and in turn
 * with others.
 *
 * <pre>
 *   IDLE --changed--> WAITING --its turn--> RUNNING --changed--> STALE
 *    ^                   ^                     |                   |
 *    |                   '---------------------+------ended--------'
 *    '--------ended: told to its owner-------'        any state --end()--> ENDED
 * </pre>
 *
 * <p>While its owner holds it, no run begins, and requests are remembered. Where there is no place
 * for a run, or it meets another schema, it is tried again in a moment.
 *
 * <p>Thread-safe. {@link #request}, {@link #release} and {@link #end} may call other owners' work:
 * they are to be called without holding a lock. The other methods call nobody.
 */
public final class LiveTask implements BackgroundWork.Answer {

  /** What is done. Called without locks, one call at a time, on any thread. */
  public interface Task {

    /** Begins a run, which must be dispatched to a worker and end this answer. */
    void begin(Response response);

    /**
     * A run has ended well. No other begins before this returns.
     *
     * @param version of what it has read, to be kept with it for {@link LiveTask#current}; empty
     *     where that has changed meanwhile
     */
    void completed(byte[] answer, OptionalLong version);

    /** A run has failed, and will fail again: the owner is to {@link LiveTask#end}. */
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
  private final TableVersions tables;
  private final Task task;
  private Set<TableName> read = Set.of();
  private Engine.@Nullable Registration interest;
  private OptionalLong version = OptionalLong.empty();
  private State state = State.IDLE;
  private boolean held;
  private boolean due;
  private @Nullable Work running;

  /** Nothing is listened to yet. */
  public LiveTask(BackgroundWork background, TableVersions tables, Task task) {
    this.background = background;
    this.tables = tables;
    this.task = task;
  }

  /**
   * From now on, what changes is told of these tables instead of those before. Before the first run
   * or within one, ahead of its reading.
   *
   * @param rows as {@link TableVersions#listen(Collection, Map, Runnable)}
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

  /** Whether nothing has changed since this was read, as far as the engine tells. */
  public synchronized boolean current(OptionalLong since) {
    return since.isPresent() && since.equals(tables.version(read));
  }

  /** Asks for a run that begins from now on. */
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
    background.turns().ask(this::begin);
  }

  /** Lets no run begin until {@link #release}; a run that has begun ends. */
  public synchronized void hold() {
    held = true;
  }

  /** Lets runs begin again; one that was requested meanwhile begins now. */
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
      background.turns().done();
    } else {
      task.begin(response);
    }
  }

  @Override
  public void completed(byte[] answer) {
    if (ran()) {
      task.completed(answer, version());
      goOn();
    }
    background.turns().done();
  }

  @Override
  public void failed(EvitaException failure) {
    if (failure.code() == ErrorCode.OVERLOADED) {
      background.later(this::begin); // it keeps its turn
      return;
    }
    if (ran()) {
      if (failure.code() == ErrorCode.CATALOG_CHANGED) {
        idle();
        background.later(this::request); // by then it may have another schema
      } else {
        task.failed(failure);
      }
    }
    background.turns().done();
  }

  /** Answers whether anybody still wants to know. */
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

  private void goOn() {
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

  /** Ends for good, and cancels what runs. Idempotent. */
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
