// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of work that wait for workers: one of each client after another, and those of one client
 * in their order. So a connection of HTTP/2 that asks for a thousand things holds up itself alone.
 * Thread-safe.
 */
final class FairQueue<T> {

  // Guarded by this.
  private final LinkedHashMap<Object, Queue<T>> clients = new LinkedHashMap<>();

  synchronized void add(Object client, T task) {
    clients.computeIfAbsent(client, first -> new ArrayDeque<>(2)).add(task);
  }

  /** Takes the next; null where there is none. */
  synchronized @Nullable T poll() {
    var first = clients.pollFirstEntry();
    if (first == null) {
      return null;
    }
    var own = first.getValue();
    var task = own.poll();
    if (!own.isEmpty()) {
      clients.put(first.getKey(), own);
    }
    return task;
  }
}
