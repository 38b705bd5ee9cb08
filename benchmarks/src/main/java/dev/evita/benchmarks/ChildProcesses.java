// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Processes that must not outlive this one, however it ends. Some of them are stopped, so that only
 * force reaches them. Thread-safe.
 */
public final class ChildProcesses {

  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
  private static volatile boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ChildProcesses::end, "end of the children"));
  }

  private ChildProcesses() {}

  /** It ends with this process, from now on. */
  public static Process add(Process process) {
    RUNNING.add(process);
    if (ending) {
      // Whoever started it saw the one before end, and went on with the next.
      process.destroyForcibly();
    }
    return process;
  }

  public static void remove(Process process) {
    RUNNING.remove(process);
  }

  /** So do all that are started by others on behalf of this process, and what these start. */
  static void addDescendants() {
    var end =
        new Thread(
            () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly));
    Runtime.getRuntime().addShutdownHook(end);
  }

  private static void end() {
    ending = true;
    RUNNING.forEach(Process::destroyForcibly);
  }
}
