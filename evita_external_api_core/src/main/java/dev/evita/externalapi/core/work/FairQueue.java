// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A queue of work for worker threads: round-robin over clients, first-in first-out for each client.
 * So an HTTP/2 connection that sends a thousand requests delays only itself. Thread-safe.
 */
final class FairQueue<T> {

  // Guarded by this.
  private final LinkedHashMap<Object, Queue<T>> clients = new LinkedHashMap<>();

  synchronized void add(Object client, T task) {
    clients.computeIfAbsent(client, first -> new ArrayDeque<>(2)).add(task);
  }

  /** Removes the next task; null if there is none. */
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
