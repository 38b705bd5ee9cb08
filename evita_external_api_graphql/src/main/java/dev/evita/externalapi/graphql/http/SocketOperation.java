// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import dev.evita.externalapi.core.push.PushChannel;
import dev.evita.externalapi.core.push.WebSocket;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.SocketMessage;
import dev.evita.externalapi.graphql.subscriptions.RunningOperation;
import dev.evita.externalapi.graphql.subscriptions.SubscriptionResult;
import dev.evita.externalapi.graphql.subscriptions.Subscriptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation of one WebSocket: of its results, the latest alone waits for its turn to be sent.
 *
 * <p>Thread-safe.
 */
final class SocketOperation implements RunningOperation.Client, PushChannel.Message {

  private final GraphQlSocket connection;
  private final WebSocket socket;
  private final String id;
  private @Nullable RunningOperation running;
  private @Nullable SubscriptionResult waiting;
  private @Nullable SubscriptionResult sent;
  private boolean offered;
  private boolean single;
  private boolean ended;

  SocketOperation(GraphQlSocket connection, WebSocket socket, String id) {
    this.connection = connection;
    this.socket = socket;
    this.id = id;
  }

  String id() {
    return id;
  }

  void start(Subscriptions all, GraphQlRequest request) {
    var started = new RunningOperation(all, request, "", false, this);
    synchronized (this) {
      running = started;
    }
    started.start();
  }

  @Override
  public synchronized void single() {
    single = true;
  }

  /** Whether it goes on until somebody stops it. */
  synchronized boolean endless() {
    return !single;
  }

  @Override
  public void next(SubscriptionResult result) {
    synchronized (this) {
      if (ended) {
        return;
      }
      waiting = result;
      if (!offered) {
        offered = true;
        socket.offer(this);
      }
      if (!single) {
        return;
      }
      ended = true;
    }
    connection.end(this, () -> SocketMessage.of("complete", id));
  }

  @Override
  public void failed(List<GraphQlError> errors) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      waiting = null;
    }
    connection.end(this, () -> SocketMessage.failed(id, errors));
  }

  @Override
  public byte @Nullable [] next() {
    SubscriptionResult result;
    synchronized (this) {
      offered = false;
      result = waiting;
      waiting = null;
      if (result == null || (sent != null && sent.isSame(result))) {
        return null; // it has changed, and changed back, while it waited
      }
      sent = single ? null : result;
    }
    return SocketMessage.of("next", id, result.json());
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

  /** The client does not want it any more, or is gone: nothing more is said. */
  void stop() {
    RunningOperation current;
    synchronized (this) {
      ended = true;
      waiting = null;
      current = running;
    }
    if (current != null) {
      current.stop();
    }
  }
}
