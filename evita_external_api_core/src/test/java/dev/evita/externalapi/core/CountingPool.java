// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.http.HttpServer;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Undertow's buffer pool, counting the buffers in use. */
final class CountingPool implements ByteBufferPool {

  private final ByteBufferPool pool = HttpServer.buffers();
  final AtomicInteger taken = new AtomicInteger();

  @Override
  public PooledByteBuffer allocate() {
    taken.incrementAndGet();
    return new Counted(pool.allocate());
  }

  private final class Counted implements PooledByteBuffer {
    private final PooledByteBuffer buffer;

    private Counted(PooledByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public ByteBuffer getBuffer() {
      return buffer.getBuffer();
    }

    @Override
    public synchronized void close() {
      if (buffer.isOpen()) {
        taken.decrementAndGet();
      }
      buffer.close();
    }

    @Override
    public boolean isOpen() {
      return buffer.isOpen();
    }
  }

  @Override
  public ByteBufferPool getArrayBackedPool() {
    return pool.getArrayBackedPool();
  }

  @Override
  public void close() {
    pool.close();
  }

  @Override
  public int getBufferSize() {
    return pool.getBufferSize();
  }

  @Override
  public boolean isDirect() {
    return pool.isDirect();
  }
}
