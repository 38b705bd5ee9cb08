// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.push.WebSocket;
import dev.evita.externalapi.core.push.WebSocketListener;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.Work;
import java.util.Set;
import java.util.function.Function;

/**
 * A request, its response, and the work between them, with or without a socket.
 *
 * <p>Used by one thread at a time. {@link Api#handle} must complete it exactly once, by the
 * response or by {@link #fail}.
 */
public sealed interface Exchange permits HttpExchange {

  /** The request. */
  Request request();

  /** The response. */
  Response response();

  /** The work: deadline, admission, cancellation, restart. */
  default Work work() {
    return response().work();
  }

  /**
   * Responds to a failure in the form of the API that the request is for, or, before that is known,
   * with a problem document (RFC 9457). If a part of another response has been sent already, closes
   * the connection, so that the client cannot take that part for a complete response.
   */
  default void fail(Throwable failure) {
    work().fail(failure);
  }

  /** Whether the client requests a WebSocket and the transport supports it. */
  boolean wantsWebSocket();

  /**
   * Upgrades this connection to a WebSocket, which ends the exchange, or responds with 426 if the
   * request is no upgrade request.
   *
   * @param protocols sub-protocols that the server supports; the client's first one among them is
   *     selected, else none
   * @param opened called on the connection's thread, before anything is received
   */
  void upgrade(Set<String> protocols, Function<WebSocket, WebSocketListener> opened);

  /**
   * Starts a response of server-sent events; its end ends this exchange. It has no deadline.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} if there is no connection to keep open
   */
  EventStream events();
}
