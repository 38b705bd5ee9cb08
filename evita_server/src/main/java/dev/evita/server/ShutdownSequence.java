// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the resources of a process, in reverse order, once: at its own end or on a signal,
 * whichever comes first. Thread-safe.
 */
final class ShutdownSequence {

  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean ending;

  /** Registers a resource to be closed; closes it at once if the shutdown has begun already. */
  synchronized <T extends AutoCloseable> T add(T resource) {
    if (ending) {
      close(resource);
    } else {
      opened.push(resource);
    }
    return resource;
  }

  /** Closes all resources after a signal; returns when that is done. */
  synchronized void stop() {
    if (!opened.isEmpty()) {
      LOG.info("Shutting down; waiting for requests in progress");
    }
    end();
  }

  /** Closes all resources; returns when that is done. */
  synchronized void end() {
    ending = true;
    while (!opened.isEmpty()) {
      close(opened.pop());
    }
    ended.countDown();
  }

  /** Waits until all resources are closed. */
  void await() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      LOG.error("Failed to close {}", resource, e);
    }
  }
}
