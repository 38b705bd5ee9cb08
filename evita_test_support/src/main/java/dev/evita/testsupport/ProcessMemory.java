// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The memory of this process. */
public final class ProcessMemory {

  private ProcessMemory() {}

  /** Bytes of the heap, after a garbage collection. */
  public static long heap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** The same plus bytes of direct buffers. */
  public static long used() {
    return heap()
        + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
  }
}
