// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

/**
 * Receives the messages of one WebSocket.
 *
 * <p>Called on the connection's thread, one call at a time; must not block.
 */
public interface WebSocketListener {

  /** A text message. */
  void message(String text);

  /** A binary message. */
  void binary();

  /** The server shuts down: the listener closes the socket, now or when its work has ended. */
  void drain();

  /** The connection has ended, for whatever reason. The last call. */
  void closed();
}
