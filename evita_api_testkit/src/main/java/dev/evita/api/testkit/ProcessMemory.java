// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What this process holds in memory. */
public final class ProcessMemory {

  private ProcessMemory() {}

  /** Bytes of the heap, after garbage was collected. */
  public static long heap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** The same and bytes of direct buffers. */
  public static long used() {
    return heap()
        + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
  }
}
