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
 * <p>Used by one thread at a time. {@link Api#handle} must end it exactly once, by the response or
 * by {@link #fail}.
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
   * Answers a failure in the form of the API that the request is for; before that is known, by a
   * problem document (RFC 9457). Where a part of another answer has left already, closes the
   * connection, so that the client cannot take that part for the whole.
   */
  default void fail(Throwable failure) {
    work().fail(failure);
  }

  /** Whether the client asks for a WebSocket and the transport can have one. */
  boolean wantsWebSocket();

  /**
   * Makes this connection a WebSocket, which ends the exchange; or answers 426 where the request is
   * not one for it.
   *
   * @param protocols sub-protocols that the server speaks; the first of the client's that is among
   *     them is agreed on, else none
   * @param opened called on the connection's thread, before anything is received
   */
  void upgrade(Set<String> protocols, Function<WebSocket, WebSocketListener> opened);

  /**
   * Starts an answer of events, which ends this exchange when it ends. From now on no deadline
   * holds for it.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} where there is no connection to keep open
   */
  EventStream events();
}
