// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.push.PushChannel;
import dev.evita.externalapi.core.push.WebSocket;
import dev.evita.externalapi.core.push.WebSocketListener;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.request.SocketMessage;
import dev.evita.externalapi.graphql.subscriptions.Subscriptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One connection of {@code graphql-transport-ws} (graphql-ws, PROTOCOL.md).
 *
 * <pre>
 *   open --connection_init--> acknowledged --subscribe id--> running operation of that id
 *    | late: 4408, twice: 4429            | complete id, or it ended: the id is free again
 *    '-- subscribe: 4401                  '-- anything that is not a message: 4400
 * </pre>
 *
 * <p>Messages come on the connection's thread; operations end on any.
 */
public final class GraphQlSocket implements WebSocketListener {

  private static final int BAD_REQUEST = 4400;
  private static final int UNAUTHORIZED = 4401;
  private static final int NOT_ACCEPTABLE = 4406;
  private static final int INIT_TIMEOUT = 4408;
  private static final int SUBSCRIBER_EXISTS = 4409;
  private static final int TOO_MANY_INITS = 4429;
  private static final int INTERNAL = 4500;

  private final WebSocket socket;
  private final Subscriptions all;
  private final SocketLimits limits;
  private final Map<String, SocketOperation> operations = new HashMap<>(2);
  private boolean initialised;
  private boolean draining;

  private GraphQlSocket(WebSocket socket, Subscriptions all, SocketLimits limits) {
    this.socket = socket;
    this.all = all;
    this.limits = limits;
  }

  public static WebSocketListener open(WebSocket socket, Subscriptions all, SocketLimits limits) {
    var opened = new GraphQlSocket(socket, all, limits);
    if (socket.protocol() == null) {
      socket.close(
          NOT_ACCEPTABLE, "Subprotocol not acceptable; expected " + SocketMessage.PROTOCOL);
    } else {
      socket.after(limits.connectionInitTimeout(), opened::requireInit);
    }
    return opened;
  }

  private void requireInit() {
    if (!initialised) {
      socket.close(INIT_TIMEOUT, "Connection initialisation timeout");
    }
  }

  @Override
  public void message(String text) {
    try {
      receive(SocketMessage.read(text));
    } catch (RequestError e) {
      socket.close(BAD_REQUEST, e.errors().getFirst().message());
    } catch (RuntimeException e) {
      socket.close(INTERNAL, GraphQlError.all(e, all.background().faults()).getFirst().message());
    }
  }

  private void receive(SocketMessage message) {
    switch (message.type()) {
      case "connection_init" -> init();
      case "ping" -> socket.offer(() -> SocketMessage.echo("pong", message.payload()));
      case "pong" -> {}
      case "subscribe" -> subscribe(message);
      case "complete" -> complete(message.requireId());
      default -> throw SocketMessage.malformed("unexpected type '" + message.type() + "'");
    }
  }

  private void init() {
    if (initialised) {
      socket.close(TOO_MANY_INITS, "Too many initialisation requests");
      return;
    }
    initialised = true;
    socket.offer(() -> SocketMessage.of("connection_ack", null));
  }

  private void subscribe(SocketMessage message) {
    var id = message.requireId();
    var request = message.request();
    if (!initialised) {
      socket.close(UNAUTHORIZED, "Unauthorized");
      return;
    }
    var operation = new SocketOperation(this, socket, id);
    var most = limits.maxSubscriptions();
    synchronized (operations) {
      if (operations.containsKey(id)) {
        socket.close(SUBSCRIBER_EXISTS, "Subscriber for " + id + " already exists");
        return;
      }
      if (!draining && operations.size() < most) {
        operations.put(id, operation);
      } else {
        operation = null;
      }
    }
    if (operation != null) {
      operation.start(all, request);
      return;
    }
    var problem =
        draining
            ? RequestError.of(ErrorCode.SHUTTING_DOWN, "The server is stopping; connect again")
            : RequestError.of(
                ErrorCode.TOO_MANY_SUBSCRIPTIONS,
                "This connection has "
                    + most
                    + " operations under way, the limit of max-subscriptions");
    socket.offer(() -> SocketMessage.failed(id, problem.errors()));
  }

  private void complete(String id) {
    SocketOperation operation;
    synchronized (operations) {
      operation = operations.remove(id);
    }
    if (operation != null) {
      operation.stop();
    }
  }

  /** Says the operation's last message. Its id is free before the client can know. Thread-safe. */
  void end(SocketOperation operation, PushChannel.Message message) {
    boolean last;
    synchronized (operations) {
      operations.remove(operation.id(), operation);
      last = draining && operations.values().stream().allMatch(SocketOperation::endless);
    }
    socket.offer(message);
    if (last) {
      goAway();
    }
  }

  @Override
  public void binary() {
    socket.close(BAD_REQUEST, "Invalid message: expected text");
  }

  /** What runs once may end, and its answer leave, before the connection is closed. */
  @Override
  public void drain() {
    boolean idle;
    synchronized (operations) {
      draining = true;
      idle = operations.values().stream().allMatch(SocketOperation::endless);
    }
    if (idle) {
      goAway();
    }
  }

  private void goAway() {
    socket.closeAfterWaiting(WebSocket.GOING_AWAY, "The server is stopping");
  }

  @Override
  public void closed() {
    List<SocketOperation> left;
    synchronized (operations) {
      left = new ArrayList<>(operations.values());
      operations.clear();
    }
    left.forEach(SocketOperation::stop);
  }
}
