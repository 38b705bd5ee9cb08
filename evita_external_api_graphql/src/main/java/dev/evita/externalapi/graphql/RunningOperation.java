// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Background;
import dev.evita.externalapi.core.Exchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of any kind over a connection that stays open: compiled where it is new, then run
 * once, or subscribed to.
 *
 * <p>Thread-safe: {@link #stop} may come at any time.
 */
final class RunningOperation implements Background.Answer {

  private static final String JSON = "application/json";
  private static final byte[] NOTHING = {};

  /** Over a second in all, in which the schema is surely looked at. */
  private static final int MOST_RESTARTS = 30;

  /** Who started it. */
  interface Client extends Subscriber {

    /** It is a query or mutation: what comes next is the last. */
    void single();
  }

  private final Subscriptions all;
  private final GraphQlRequest request;
  private final String lastId;
  private final boolean queryOnly;
  private final Client client;
  private @Nullable Feed feed;
  private @Nullable Exchange work;
  private @Nullable List<GraphQlError> errors;
  private boolean stopped;
  private int restarts;

  /**
   * An operation that has not started yet.
   *
   * @param lastId what the client had last; empty for nothing
   * @param queryOnly whether a mutation is refused
   */
  RunningOperation(
      Subscriptions all, GraphQlRequest request, String lastId, boolean queryOnly, Client client) {
    this.all = all;
    this.request = request;
    this.lastId = lastId;
    this.queryOnly = queryOnly;
    this.client = client;
  }

  /** Starts it; the client is told all that becomes of it, perhaps before this returns. */
  void start() {
    if (stopped()) {
      return;
    }
    try {
      var text = all.planner().text(request);
      var planned = all.planner().ready(text, request, queryOnly);
      if (planned != null && planned.variant().subscription()) {
        subscribe(new Ask(text, request), planned);
        return;
      }
      var exchange = all.background().open(this);
      note(exchange);
      if (planned == null) {
        exchange.dispatch(all.compiling(), false, () -> compile(exchange, text));
      } else {
        run(exchange, planned);
      }
    } catch (RuntimeException e) {
      client.failed(GraphQlError.all(e, all.background().faults()));
    }
  }

  private synchronized boolean stopped() {
    return stopped;
  }

  private synchronized void note(Exchange exchange) {
    work = exchange;
  }

  private void run(Exchange exchange, Planned planned) {
    client.single();
    var run = new Run(exchange, new WholeAnswer(exchange, JSON), planned, 0);
    exchange.dispatch(run.plan(), run.bounded(), run);
  }

  private void compile(Exchange exchange, String text) {
    Planned planned;
    try {
      planned = all.planner().compiled(text, request, queryOnly);
    } catch (RuntimeException e) {
      var problems = GraphQlError.all(e, all.background().faults());
      if (problems.getFirst().code() != ErrorCode.CATALOG_CHANGED || !exchange.restart()) {
        errors = problems;
        exchange.send(200, JSON, NOTHING);
      }
      return;
    }
    if (planned.variant().subscription()) {
      exchange.send(200, JSON, NOTHING);
      subscribe(new Ask(text, request), planned);
    } else {
      client.single();
      all.planner().run(exchange, new WholeAnswer(exchange, JSON), planned, 0).run();
    }
  }

  @Override
  public void completed(byte[] json) {
    var problems = errors;
    if (problems != null) {
      client.failed(problems);
    } else if (json.length > 0) {
      client.next(new Result(json, null));
    }
  }

  @Override
  public void failed(EvitaException failure) {
    if (failure.code() == ErrorCode.CATALOG_CHANGED && restarts++ < MOST_RESTARTS) {
      all.later(this::start);
      return;
    }
    client.failed(List.of(GraphQlError.of(failure, List.of(), List.of())));
  }

  private void subscribe(Ask ask, Planned planned) {
    var subscription = all.feed(ask, planned, client, lastId);
    boolean late;
    synchronized (this) {
      work = null;
      feed = subscription;
      late = stopped;
    }
    if (!late) {
      subscription.start();
    }
  }

  /** The client's socket has taken the last result. */
  void taken() {
    var current = feed();
    if (current != null) {
      current.taken();
    }
  }

  private synchronized @Nullable Feed feed() {
    return feed;
  }

  /** Nobody wants it any more. Idempotent. */
  void stop() {
    Exchange current;
    synchronized (this) {
      stopped = true;
      current = work;
    }
    var subscription = feed();
    if (subscription != null) {
      subscription.stop();
    }
    if (current != null) {
      current.cancel();
    }
  }
}
