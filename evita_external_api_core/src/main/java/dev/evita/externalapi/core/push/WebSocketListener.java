// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

/**
 * What a protocol does with the messages of one WebSocket.
 *
 * <p>Called on the connection's thread, one call at a time; must not block.
 */
public interface WebSocketListener {

  /** The client sent a text. */
  void message(String text);

  /** The client sent bytes. */
  void binary();

  /** The server stops: the listener closes the socket, now or when what it runs has ended. */
  void drain();

  /** The connection has ended, for whatever reason. The last call. */
  void closed();
}
