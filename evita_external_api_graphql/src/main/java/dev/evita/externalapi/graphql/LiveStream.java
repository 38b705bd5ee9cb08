// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.Background;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.TablesRead;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stream of one subscriber: batch after batch beyond its position. The next one is read when the
 * client's socket has taken the last, so a client that reads slowly is waited for.
 *
 * <pre>
 *   IDLE --due--> WAITING --its turn--> RUNNING --rows--> SENDING --taken--> IDLE, due at once if
 *    ^                                     |                                  the batch was full
 *    '-------------------no rows-----------'
 * </pre>
 *
 * <p>{@code due} remembers changes that come in between. Thread-safe.
 */
final class LiveStream implements Feed, Background.Answer {

  private enum State {
    IDLE,
    WAITING,
    RUNNING,
    SENDING,
    ENDED
  }

  private final Subscriptions all;
  private final Ask ask;
  private final Subscriber subscriber;
  private final Plan plan = new Plan("GraphQL stream");
  private StreamPlan stream;
  private Engine.Registration interest;
  private List<?> position;
  private State state = State.IDLE;
  private boolean due = true;
  private @Nullable Exchange running;
  private @Nullable StreamRun run;

  /**
   * @param lastId what the client had last; empty for nothing
   */
  LiveStream(Subscriptions all, Ask ask, StreamPlan stream, Subscriber subscriber, String lastId) {
    this.all = all;
    this.ask = ask;
    this.stream = stream;
    this.subscriber = subscriber;
    var resumed = lastId.isEmpty() ? null : stream.position(lastId);
    this.position = resumed == null ? stream.initial() : resumed;
    this.interest = all.tables().listen(tables(), this::changed);
  }

  @Override
  public synchronized void start() {
    goOn();
  }

  private Set<TableName> tables() {
    return TablesRead.by(List.of(stream.select(0)));
  }

  private synchronized void changed() {
    due = true;
    goOn();
  }

  private void goOn() {
    if (state == State.IDLE && due) {
      due = false;
      state = State.WAITING;
      all.turns().ask(this::begin);
    }
  }

  private void begin() {
    StreamRun next;
    Exchange exchange;
    synchronized (this) {
      if (state == State.ENDED) {
        next = null;
        exchange = null;
      } else {
        state = State.RUNNING;
        exchange = all.background().open(this);
        next = new StreamRun(exchange, stream, position);
        running = exchange;
        run = next;
      }
    }
    if (next == null || exchange == null) {
      all.turns().done();
      return;
    }
    exchange.dispatch(plan, false, next);
  }

  @Override
  public void completed(byte[] json) {
    synchronized (this) {
      var ended = run;
      running = null;
      run = null;
      if (state != State.ENDED && ended != null) {
        state = ended.rows() > 0 ? State.SENDING : State.IDLE;
        due |= ended.rows() == stream.batchSize();
        if (ended.rows() > 0) {
          position = ended.position();
          subscriber.next(new Result(json, stream.text(position)));
        }
        goOn();
      }
    }
    all.turns().done();
  }

  @Override
  public synchronized void taken() {
    if (state == State.SENDING) {
      state = State.IDLE;
      goOn();
    }
  }

  @Override
  public void failed(EvitaException failure) {
    if (failure.code() == ErrorCode.OVERLOADED) {
      all.later(this::begin); // it keeps its turn
      return;
    }
    synchronized (this) {
      running = null;
      if (failure.code() == ErrorCode.CATALOG_CHANGED && state != State.ENDED) {
        state = State.IDLE;
        all.later(this::changed); // by then it may have been moved
      } else {
        fail(List.of(GraphQlError.of(failure, List.of(), List.of())));
      }
    }
    all.turns().done();
  }

  private void fail(List<GraphQlError> errors) {
    if (state != State.ENDED) {
      end();
      subscriber.failed(errors);
    }
  }

  private void end() {
    state = State.ENDED;
    interest.close();
    all.ended(this);
  }

  @Override
  public void stop() {
    Exchange waits;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      end();
      waits = running;
    }
    if (waits != null) {
      waits.cancel();
    }
  }

  /** Goes on with the schema of another epoch, or ends where that has no place for it. */
  void move(Planner next) {
    try {
      var planned = next.compiled(ask.text(), ask.request(), false);
      var compiled = planned.stream();
      synchronized (this) {
        if (state != State.ENDED && compiled != null) {
          stream = compiled;
          interest.close();
          interest = all.tables().listen(tables(), this::changed);
          changed();
        }
      }
    } catch (RuntimeException e) {
      var errors = GraphQlError.all(e, all.background().faults());
      synchronized (this) {
        fail(errors);
      }
    }
  }
}
