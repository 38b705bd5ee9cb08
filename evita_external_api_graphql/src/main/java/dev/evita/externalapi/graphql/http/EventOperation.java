// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.push.PushChannel;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.subscriptions.RunningOperation;
import dev.evita.externalapi.graphql.subscriptions.SubscriptionResult;
import dev.evita.externalapi.graphql.subscriptions.Subscriptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation over server-sent events (graphql-sse, PROTOCOL.md, distinct connections mode): each
 * result is an event {@code next}, the end is {@code complete}. Thread-safe.
 */
public final class EventOperation implements RunningOperation.Client, PushChannel.Message {

  private static final byte[] COMPLETE = EventStream.event("complete", null, new byte[0]);

  private final EventStream stream;
  private @Nullable RunningOperation running;
  private @Nullable SubscriptionResult waiting;
  private @Nullable SubscriptionResult sent;
  private boolean offered;
  private boolean single;
  private boolean ended;

  private EventOperation(EventStream stream) {
    this.stream = stream;
  }

  /** Responds with events. */
  public static void start(
      Subscriptions all, Exchange exchange, GraphQlRequest request, boolean queryOnly) {
    var lastId = exchange.request().header("Last-Event-ID");
    var operation = new EventOperation(exchange.events());
    var known = lastId == null ? "" : lastId;
    var started = new RunningOperation(all, request, known, queryOnly, operation);
    operation.running = started;
    operation.stream.whenClosed(started::stop);
    operation.stream.whenDraining(operation::drain);
    started.start();
  }

  @Override
  public synchronized void single() {
    single = true;
  }

  /** A query or mutation ends by itself, and ends the stream. */
  private synchronized void drain() {
    if (!single) {
      stream.end();
    }
  }

  @Override
  public synchronized void next(SubscriptionResult result) {
    if (ended) {
      return;
    }
    ended = single;
    waiting = result;
    if (!offered) {
      offered = true;
      stream.offer(this);
    }
    if (single) {
      stream.finishAfter(COMPLETE);
    }
  }

  @Override
  public synchronized void failed(List<GraphQlError> errors) {
    if (ended) {
      return;
    }
    ended = true;
    waiting = null;
    var json = JsonWriter.inMemory();
    GraphQlError.writeResponse(json, errors);
    var event = EventStream.event("next", null, json.take());
    stream.offer(() -> event);
    stream.finishAfter(COMPLETE);
  }

  @Override
  public byte @Nullable [] next() {
    SubscriptionResult result;
    boolean once;
    synchronized (this) {
      offered = false;
      result = waiting;
      waiting = null;
      once = single;
      if (result == null || (sent != null && sent.isSame(result))) {
        return null; // the result changed, and changed back, while it was queued
      }
      sent = once ? null : result;
    }
    return EventStream.event("next", once ? null : result.id(), result.json());
  }

  @Override
  public void sent() {
    RunningOperation current;
    synchronized (this) {
      current = running;
    }
    if (current != null) {
      current.taken();
    }
  }
}
