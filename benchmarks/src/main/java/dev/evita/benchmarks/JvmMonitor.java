// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What another JVM of this user tells of itself, by JMX. It takes a few megabytes of that JVM, so
 * resident memory is looked at before. Whoever made it closes it.
 */
final class JvmMonitor implements AutoCloseable {

  private static final String THREADING = ManagementFactory.THREAD_MXBEAN_NAME;

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private JvmMonitor(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  static JvmMonitor attach(long pid) throws IOException {
    try {
      var machine = VirtualMachine.attach(String.valueOf(pid));
      try {
        var url = new JMXServiceURL(machine.startLocalManagementAgent());
        return new JvmMonitor(JMXConnectorFactory.connect(url));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " lets nobody look into it", e);
    }
  }

  /** Bytes allocated since its start by all its threads, also by those that have ended. */
  long allocatedBytes() throws IOException {
    try {
      return (long) beans.getAttribute(new ObjectName(THREADING), "TotalThreadAllocatedBytes");
    } catch (JMException e) {
      throw new IOException("it does not tell what it allocates", e);
    }
  }

  /** Used heap, including garbage. */
  long heapBytes() throws IOException {
    return ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class)
        .getHeapMemoryUsage()
        .getUsed();
  }

  /** Beside its heap, in buffers for what is read and written. */
  long directBytes() throws IOException {
    return ManagementFactory.newPlatformMXBeanProxy(
            beans, "java.nio:type=BufferPool,name=direct", BufferPoolMXBean.class)
        .getMemoryUsed();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
