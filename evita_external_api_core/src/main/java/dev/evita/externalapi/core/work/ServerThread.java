// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

/** A thread of one of the dispatcher's pools. */
final class ServerThread extends Thread {

  private final ThreadSlot slot;

  ServerThread(Runnable task, String name, ThreadSlot slot) {
    super(task, name);
    this.slot = slot;
    setDaemon(true);
  }

  ThreadSlot slot() {
    return slot;
  }
}
