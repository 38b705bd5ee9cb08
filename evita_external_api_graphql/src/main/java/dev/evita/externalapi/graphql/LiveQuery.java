// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Background;
import dev.evita.externalapi.core.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query that runs again whenever a table changed that it reads: once for all who subscribed to
 * the same plan with the same arguments.
 *
 * <pre>
 *   IDLE --changed--> WAITING --its turn--> RUNNING --changed--> STALE
 *    ^                   ^                     |                   |
 *    |                   '---------------------+------ended--------'
 *    '--------ended: told to all if it differs-'       any state --nobody left--> ENDED
 * </pre>
 *
 * <p>Thread-safe. Subscribers are told under its monitor, so that nobody gets results in another
 * order than that of the runs.
 */
final class LiveQuery implements Background.Answer {

  private enum State {
    IDLE,
    WAITING,
    RUNNING,
    STALE,
    ENDED
  }

  private final Subscriptions all;
  private final Ask ask;
  private final Set<Subscriber> subscribers = new HashSet<>();

  /** Those that have got nothing yet, and the id of what they know. */
  private final Map<Subscriber, String> newcomers = new HashMap<>();

  private Planned planned;
  private Engine.Registration interest;
  private State state = State.IDLE;
  private @Nullable Result result;
  private OptionalLong version = OptionalLong.empty();
  private @Nullable Exchange running;

  LiveQuery(Subscriptions all, Ask ask, Planned planned) {
    this.all = all;
    this.ask = ask;
    this.planned = planned;
    this.interest = listen(planned);
  }

  private Engine.Registration listen(Planned plan) {
    return all.tables().listen(plan.tables(), plan.keys(), this::changed);
  }

  /**
   * Adds a subscriber, which gets the current result soon.
   *
   * @param known the id of the result that it has; empty for none
   * @return false where this query has ended already
   */
  synchronized boolean add(Subscriber subscriber, String known) {
    if (state == State.ENDED) {
      return false;
    }
    subscribers.add(subscriber);
    var current = result;
    if (state == State.IDLE && current != null && upToDate()) {
      tell(subscriber, current, known);
    } else {
      newcomers.put(subscriber, known);
      if (state == State.IDLE) {
        await();
      }
    }
    return true;
  }

  private boolean upToDate() {
    return version.isPresent() && version.equals(all.tables().version(planned.tables()));
  }

  private static void tell(Subscriber subscriber, Result current, String known) {
    if (known.isEmpty() || !known.equals(current.id())) {
      subscriber.next(current);
    }
  }

  synchronized void remove(Subscriber subscriber) {
    subscribers.remove(subscriber);
    newcomers.remove(subscriber);
    if (subscribers.isEmpty()) {
      end();
    }
  }

  private void end() {
    if (state == State.ENDED) {
      return;
    }
    var waits = running;
    state = State.ENDED;
    interest.close();
    all.ended(this);
    if (waits != null) {
      waits.cancel();
    }
  }

  private synchronized void changed() {
    switch (state) {
      case IDLE -> await();
      case RUNNING -> state = State.STALE;
      case WAITING, STALE, ENDED -> {}
    }
  }

  private void await() {
    state = State.WAITING;
    all.turns().ask(this::begin);
  }

  private void begin() {
    Planned plan;
    Exchange exchange;
    synchronized (this) {
      if (state == State.ENDED) {
        plan = null;
        exchange = null;
      } else {
        state = State.RUNNING;
        plan = planned;
        version = all.tables().version(plan.tables());
        exchange = all.background().open(this);
        running = exchange;
      }
    }
    if (plan == null || exchange == null) {
      all.turns().done();
      return;
    }
    var run = new Run(exchange, new WholeAnswer(exchange, "application/json"), plan, 0);
    exchange.dispatch(run.plan(), false, run);
  }

  @Override
  public void completed(byte[] json) {
    synchronized (this) {
      running = null;
      if (state != State.ENDED) {
        publish(new Result(json, null));
        goOn();
      }
    }
    all.turns().done();
  }

  private void publish(Result latest) {
    var before = result;
    if (before != null && before.isSame(latest)) {
      newcomers.forEach((subscriber, known) -> tell(subscriber, before, known));
    } else {
      result = latest;
      for (var subscriber : subscribers) {
        tell(subscriber, latest, newcomers.getOrDefault(subscriber, ""));
      }
    }
    newcomers.clear();
  }

  private void goOn() {
    var stale = state == State.STALE;
    state = State.IDLE;
    if (stale) {
      await();
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
      } else if (state != State.ENDED) {
        fail(List.of(GraphQlError.of(failure, List.of(), List.of())));
      }
    }
    all.turns().done();
  }

  private void fail(List<GraphQlError> errors) {
    var told = new ArrayList<>(subscribers);
    subscribers.clear();
    newcomers.clear();
    end();
    told.forEach(subscriber -> subscriber.failed(errors));
  }

  /** Goes on with the schema of another epoch, or ends where that has no place for it. */
  void move(Planner next) {
    Planned compiled;
    try {
      compiled = next.compiled(ask.text(), ask.request(), false);
    } catch (RuntimeException e) {
      var errors = GraphQlError.all(e);
      synchronized (this) {
        if (state != State.ENDED) {
          fail(errors);
        }
      }
      return;
    }
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      planned = compiled;
      interest.close();
      interest = listen(compiled);
      version = OptionalLong.empty();
      changed();
    }
  }
}
