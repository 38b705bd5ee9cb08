// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Runs tasks one after the other, in their order, on another executor. Thread-safe. */
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
    executor.execute(this::runAll);
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
