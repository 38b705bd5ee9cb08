// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what a process has opened, the last first, once: by whichever comes first, its own end or
 * a signal. Thread-safe.
 */
final class ShutdownSequence {

  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean ending;

  /** Hands something over to be closed; at once, if the end has come already. */
  synchronized <T extends AutoCloseable> T add(T resource) {
    if (ending) {
      close(resource);
    } else {
      opened.push(resource);
    }
    return resource;
  }

  /** Closes all because of a signal; returns when that is done. */
  synchronized void stop() {
    if (!opened.isEmpty()) {
      LOG.info("Stopping, once running requests have ended");
    }
    end();
  }

  /** Closes all; returns when that is done. */
  synchronized void end() {
    ending = true;
    while (!opened.isEmpty()) {
      close(opened.pop());
    }
    ended.countDown();
  }

  /** Waits until all is closed. */
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
      LOG.error("Could not be closed: {}", resource, e);
    }
  }
}
