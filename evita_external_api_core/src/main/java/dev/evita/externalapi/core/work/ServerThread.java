// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

/** A thread of one of the dispatcher's pools. */
final class ServerThread extends Thread {

  private final Seat seat;

  ServerThread(Runnable task, String name, Seat seat) {
    super(task, name);
    this.seat = seat;
    setDaemon(true);
  }

  Seat seat() {
    return seat;
  }
}
