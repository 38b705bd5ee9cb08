// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs tasks one after the other, in their order, on another executor; if that rejects a task, this
 * does too, and discards its queued tasks. Thread-safe.
 */
final class SerialExecutor implements Executor {

  private final Executor executor;
  private final Deque<Runnable> tasks = new ArrayDeque<>(4);
  private boolean running;

  SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::runAll);
    } catch (RejectedExecutionException e) {
      synchronized (tasks) {
        tasks.clear();
        running = false;
      }
      throw e;
    }
  }

  private void runAll() {
    while (true) {
      Runnable task;
      synchronized (tasks) {
        task = tasks.poll();
        if (task == null) {
          running = false;
          return;
        }
      }
      task.run();
    }
  }
}
