// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Processor time of processes and their children, in microseconds, from {@code /proc}. */
final class ProcessorTime {

  private static final double MICROS_PER_TICK = 1e4;

  // proc_pid_stat(5), counted from the state, which follows the name.
  private static final int OWN_USER = 11;
  private static final int OWN_KERNEL = 12;
  private static final int ENDED_CHILDREN_USER = 13;
  private static final int ENDED_CHILDREN_KERNEL = 14;

  private static final int IDLE = 4;
  private static final int WAITING = 5;
  private static final int STEAL = 8;

  private ProcessorTime() {}

  /** Returns the time of a process, its descendants, and those of them that have ended. */
  static double micros(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
        .mapToDouble(each ->
            micros(each.pid(), OWN_USER, OWN_KERNEL, ENDED_CHILDREN_USER, ENDED_CHILDREN_KERNEL))
        .sum();
  }

  /** Returns the time of the processes that this one started and that have ended. */
  static double endedChildrenMicros() {
    return micros(ProcessHandle.current().pid(), ENDED_CHILDREN_USER, ENDED_CHILDREN_KERNEL);
  }

  /** Returns the time that all cores were busy, or taken by the hypervisor. */
  static double machineMicros() {
    try {
      // proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal.
      var values = Files.readAllLines(Path.of("/proc/stat")).getFirst().split("\\s+");
      var ticks = 0L;
      for (int i = 1; i <= STEAL; i++) {
        ticks += i == IDLE || i == WAITING ? 0 : Long.parseLong(values[i]);
      }
      return ticks * MICROS_PER_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double micros(long pid, int... fields) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name stands in parentheses and may hold spaces.
      var values = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      var ticks = 0L;
      for (var field : fields) {
        ticks += Long.parseLong(values[field]);
      }
      return ticks * MICROS_PER_TICK;
    } catch (IOException e) {
      if (ProcessHandle.of(pid).isEmpty()) {
        // It has ended meanwhile; its parent has its time.
        return 0;
      }
      throw new UncheckedIOException(e);
    }
  }
}
