// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;
import org.xnio.conduits.WriteReadyHandler;

/**
 * Saves a connection of HTTP/2 most of its calls to the operating system, which are half of what a
 * small request costs.
 *
 * <pre>
 *   socket is readable --> one read --> frame, frame, frame ... --> one write
 *                                         '--> answers are kept --'
 * </pre>
 *
 * <p>Undertow asks the socket for more before it looks at the next frame that it has already, and
 * writes each stream's frames by themselves. So as long as frames are left, its reading finds
 * nothing new; and what is written is kept until all frames of one reading have been seen to, or,
 * for what is written at other times, until the tasks that wait for the connection's thread have
 * run.
 *
 * <p>Until {@link #begin} it lets everything pass. Belongs to the connection's thread from then on.
 */
final class FrameBursts {

  /** What is larger is not copied: it leaves at once, with what is kept before it. */
  private static final int MOST_COPIED = 8 << 10;

  /** TLS may hold more than one reading brings, and tells of it in its own time. */
  private static final int TLS_READS = 4;

  private final StreamConnection connection;
  private final ByteBufferPool buffers;
  private final Source source;
  private final Sink sink;
  private final int reads;
  private boolean begun;
  private boolean inBurst;
  private Runnable atEnd = () -> {};

  private FrameBursts(StreamConnection connection, ByteBufferPool buffers, int reads) {
    this.connection = connection;
    this.buffers = buffers;
    this.reads = reads;
    this.source = new Source(connection.getSourceChannel().getConduit());
    this.sink = new Sink(connection.getSinkChannel().getConduit());
    connection.getSourceChannel().setConduit(source);
    connection.getSinkChannel().setConduit(sink);
  }

  /** Sits down on a new connection, below whatever is to come. */
  static FrameBursts on(StreamConnection connection, ByteBufferPool buffers, boolean tls) {
    return new FrameBursts(connection, buffers, tls ? TLS_READS : 1);
  }

  /** From now on these are frames of HTTP/2. */
  void begin() {
    begun = true;
  }

  /** Writes what is kept, as far as the socket takes it. Answers whether all has left. */
  boolean push() {
    return sink.push();
  }

  /** This runs once nothing more arrives. */
  void atEnd(Runnable task) {
    atEnd = task;
  }

  // ---- what arrives ----

  private final class Source extends AbstractStreamSourceConduit<StreamSourceConduit> {

    private int leftBefore;
    private int readsLeft;
    private boolean again;

    private Source(StreamSourceConduit next) {
      super(next);
    }

    /**
     * What is in the buffer already are whole frames, or the beginning of one. The latter is what
     * stays when Undertow has been told before that nothing is new.
     */
    @Override
    public int read(ByteBuffer bytes) throws IOException {
      if (!begun) {
        return next.read(bytes);
      }
      var left = bytes.position();
      if (left > 0 && left != leftBefore) {
        leftBefore = left;
        again = true;
        return 0;
      }
      if (inBurst && readsLeft-- == 0) {
        readsLeft = 0;
        return 0;
      }
      leftBefore = 0;
      var count = next.read(bytes);
      again = count > 0;
      return count;
    }

    @Override
    public void setReadReadyHandler(ReadReadyHandler handler) {
      next.setReadReadyHandler(
          new ReadReadyHandler() {
            @Override
            public void readReady() {
              if (begun && !inBurst) {
                burst(handler);
              } else {
                handler.readReady();
              }
            }

            @Override
            public void forceTermination() {
              handler.forceTermination();
            }

            @Override
            public void terminated() {
              handler.terminated();
              atEnd.run();
            }
          });
    }

    /** Lets Undertow read until it has seen all that one reading has brought. */
    private void burst(ReadReadyHandler handler) {
      inBurst = true;
      readsLeft = reads;
      try {
        do {
          again = false;
          handler.readReady();
        } while (again);
      } finally {
        inBurst = false;
        sink.push();
      }
    }
  }

  // ---- what leaves ----

  private final class Sink extends GatheringSink {

    private final Runnable task = this::pushDue;
    private @Nullable PooledByteBuffer kept;
    private boolean due;
    private boolean blocked;
    private boolean resumed;

    private Sink(StreamSinkConduit next) {
      super(next);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
      if (!begun) {
        return Gathered.write(next, from, offset, length);
      }
      var count = Buffers.remaining(from, offset, length);
      if (count > MOST_COPIED) {
        return writeAfterKept(from, offset, length);
      }
      var open = kept;
      if (open != null && open.getBuffer().remaining() < count && !push()) {
        return 0;
      }
      open = kept;
      if (open == null) {
        open = buffers.allocate();
        kept = open;
      }
      for (int i = offset; i < offset + length; i++) {
        open.getBuffer().put(from[i]);
      }
      pushLater();
      return count;
    }

    private long writeAfterKept(ByteBuffer[] from, int offset, int length) throws IOException {
      var before = kept;
      if (before == null) {
        return next.write(from, offset, length);
      }
      var bytes = before.getBuffer().flip();
      var own = bytes.remaining();
      var all = new ByteBuffer[length + 1];
      all[0] = bytes;
      System.arraycopy(from, offset, all, 1, length);
      var count = next.write(all, 0, all.length);
      if (bytes.hasRemaining()) {
        bytes.compact();
        return 0;
      }
      release(before);
      return count - own;
    }

    private void release(PooledByteBuffer empty) {
      kept = null;
      empty.close();
    }

    private void pushLater() {
      if (!inBurst && !due) {
        due = true;
        connection.getIoThread().execute(task);
      }
    }

    private void pushDue() {
      due = false;
      var unused = push();
    }

    /** Writes what is kept, unless the socket is known to be full. Answers whether all has left. */
    private boolean push() {
      if (kept == null) {
        return !blocked;
      }
      if (!blocked) {
        attempt();
      }
      return !blocked;
    }

    private void attempt() {
      try {
        blocked = !drain();
      } catch (IOException e) {
        blocked = false;
        var lost = kept;
        if (lost != null) {
          release(lost);
        }
        IoUtils.safeClose(connection);
        return;
      }
      if (blocked) {
        next.resumeWrites();
      } else if (!resumed) {
        next.suspendWrites();
      }
    }

    private boolean drain() throws IOException {
      var open = kept;
      if (open != null) {
        var bytes = open.getBuffer().flip();
        while (bytes.hasRemaining()) {
          if (next.write(bytes) == 0) {
            bytes.compact();
            return false;
          }
        }
        release(open);
      }
      return next.flush();
    }

    /** What is kept counts as sent: it leaves by itself. */
    @Override
    public boolean flush() throws IOException {
      if (!begun || kept == null) {
        return next.flush();
      }
      return !blocked;
    }

    @Override
    public void terminateWrites() throws IOException {
      pushLast();
      next.terminateWrites();
    }

    @Override
    public void truncateWrites() throws IOException {
      pushLast();
      next.truncateWrites();
    }

    private void pushLast() {
      if (begun && connection.getIoThread().equals(Thread.currentThread())) {
        var unused = push();
      }
    }

    @Override
    public void resumeWrites() {
      resumed = true;
      next.resumeWrites();
    }

    @Override
    public void suspendWrites() {
      resumed = false;
      if (!blocked) {
        next.suspendWrites();
      }
    }

    @Override
    public void wakeupWrites() {
      resumed = true;
      next.wakeupWrites();
    }

    @Override
    public boolean isWriteResumed() {
      return resumed;
    }

    @Override
    public void setWriteReadyHandler(WriteReadyHandler handler) {
      next.setWriteReadyHandler(
          new WriteReadyHandler() {
            @Override
            public void writeReady() {
              if (blocked) {
                attempt();
              }
              if (!begun || (resumed && !blocked)) {
                handler.writeReady();
              }
            }

            @Override
            public void forceTermination() {
              handler.forceTermination();
            }

            @Override
            public void terminated() {
              handler.terminated();
            }
          });
    }
  }
}
