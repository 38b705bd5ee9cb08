// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;
import org.xnio.conduits.ConduitStreamSinkChannel;

/**
 * Writes frames to the socket, many of them by one system call.
 *
 * <pre>
 * frame up to 8 KiB --copied--> batch (one pooled buffer) --end of burst--> socket
 * larger DATA     ----------- batch + header + payload, gathered -------> socket
 * while the socket is full: control frames --> overflow; streams wait for {@link Owner#writable}
 * </pre>
 *
 * <p>Within a burst, the batch is written at its end ({@link #endBurst}); otherwise by a task on
 * the connection's thread, after the tasks that are queued already. All methods belong to that
 * thread.
 */
final class FrameWriter {

  /** Payloads above this size are not copied. */
  private static final int MAX_COPIED = 8 << 10;

  /** Bytes of queued control frames above which no input is read from the client. */
  private static final int MAX_OVERFLOW = 64 << 10;

  /** The connection that writes. */
  interface Owner {

    /** The socket accepts frames again. */
    void writable();

    /** The socket failed. */
    void writeFailed(IOException cause);
  }

  private final StreamConnection connection;
  private final ConduitStreamSinkChannel sink;
  private final ByteBufferPool buffers;
  private final Owner owner;
  private final ByteBuffer header = ByteBuffer.allocate(Http2Frame.HEADER_BYTES);
  private final ByteBuffer[] gathered = new ByteBuffer[3];
  private final Deque<ByteBuffer> overflow = new ArrayDeque<>(0);
  private final Runnable pushTask = this::pushDue;
  private @Nullable PooledByteBuffer batch;
  private int overflowBytes;
  private boolean blocked;
  private boolean inBurst;
  private boolean pushQueued;
  private boolean closed;

  /** Whether the current frame is written to the overflow. */
  private boolean overflowing;

  FrameWriter(StreamConnection connection, ByteBufferPool buffers, Owner owner) {
    this.connection = connection;
    this.sink = connection.getSinkChannel();
    this.buffers = buffers;
    this.owner = owner;
    sink.setWriteListener(ready -> onWritable());
  }

  /** Whether streams may write; if not, {@link Owner#writable} follows. */
  boolean isOpen() {
    return !blocked && !closed;
  }

  /** Whether no bytes wait for the socket. */
  boolean isDrained() {
    return !blocked && batch == null;
  }

  /** Whether so many control frames are queued that input is suspended until the client reads. */
  boolean isCongested() {
    return overflowBytes > MAX_OVERFLOW;
  }

  // ---- frames ----

  /** Writes a frame whose payload is one integer of four bytes. */
  void number(int type, int stream, int value) {
    var to = room(Http2Frame.HEADER_BYTES + Integer.BYTES);
    header(to, Integer.BYTES, type, 0, stream);
    written(to.putInt(value));
  }

  /** Writes a frame whose payload is copied. */
  void frame(int type, int flags, int stream, ByteBuffer payload) {
    var length = payload.remaining();
    var to = room(Http2Frame.HEADER_BYTES + length);
    header(to, length, type, flags, stream);
    to.put(payload);
    written(to);
  }

  /** Writes a header block, in as many frames as needed. */
  void headers(int stream, ByteBuffer block, boolean endStream) {
    var type = Http2Frame.HEADERS;
    var flags = endStream ? Http2Frame.END_STREAM : 0;
    var limit = block.limit();
    do {
      var length = Math.min(limit - block.position(), Http2Frame.MAX_PAYLOAD);
      var last = block.position() + length == limit;
      block.limit(block.position() + length);
      frame(type, last ? flags | Http2Frame.END_HEADERS : flags, stream, block);
      block.limit(limit);
      type = Http2Frame.CONTINUATION;
      flags = 0;
    } while (block.hasRemaining());
  }

  /**
   * Writes a DATA frame with the next bytes of a buffer. Bytes that the socket does not accept are
   * copied, so that the buffer is free in any case.
   */
  void data(int stream, ByteBuffer bytes, int length, boolean endStream) {
    var flags = endStream ? Http2Frame.END_STREAM : 0;
    var limit = bytes.limit();
    bytes.limit(bytes.position() + length);
    if (length <= MAX_COPIED || !overflow.isEmpty()) {
      frame(Http2Frame.DATA, flags, stream, bytes);
    } else {
      gather(stream, flags, bytes, length);
    }
    bytes.limit(limit);
  }

  private static void header(ByteBuffer to, int length, int type, int flags, int stream) {
    to.put((byte) (length >>> 16)).putShort((short) length);
    to.put((byte) type).put((byte) flags).putInt(stream);
  }

  /** A buffer for so many bytes: the batch, or, while that is full, one of the overflow. */
  private ByteBuffer room(int length) {
    overflowing = false;
    if (overflow.isEmpty() && !closed) {
      var open = batch;
      if (open != null && open.getBuffer().remaining() < length && !blocked) {
        attempt();
        open = batch;
      }
      if (open == null && !blocked && !closed) {
        open = buffers.allocate();
        batch = open;
      }
      if (open != null && open.getBuffer().remaining() >= length) {
        return open.getBuffer();
      }
    }
    overflowing = true;
    return ByteBuffer.allocate(length);
  }

  private void written(ByteBuffer to) {
    if (closed) {
      return;
    }
    if (overflowing) {
      overflow.add(to.flip());
      overflowBytes += to.remaining();
    }
    pushLater();
  }

  private void gather(int stream, int flags, ByteBuffer payload, int length) {
    header(header.clear(), length, Http2Frame.DATA, flags, stream);
    var open = batch;
    var first = open == null ? 1 : 0;
    gathered[0] = open == null ? header : open.getBuffer().flip();
    gathered[1] = header.flip();
    gathered[2] = payload;
    try {
      long count;
      do {
        count = sink.write(gathered, first, gathered.length - first);
      } while (count > 0 && payload.hasRemaining());
      if (payload.hasRemaining()) {
        blocked = true;
        sink.resumeWrites();
      }
    } catch (IOException e) {
      failed(e);
      return;
    }
    if (open != null) {
      refill(open);
    }
    gathered[0] = header; // releases the reference to the payload
    gathered[2] = header;
    keep(header);
    keep(payload);
    if (!blocked) {
      pushLater(); // encrypted bytes may still have to be flushed
    }
  }

  private void refill(PooledByteBuffer open) {
    if (open.getBuffer().hasRemaining()) {
      open.getBuffer().compact();
    } else {
      batch = null;
      open.close();
    }
  }

  private void keep(ByteBuffer rest) {
    if (rest.hasRemaining()) {
      var copy = ByteBuffer.allocate(rest.remaining()).put(rest).flip();
      overflow.add(copy);
      overflowBytes += copy.remaining();
    }
  }

  // ---- the socket ----

  void beginBurst() {
    inBurst = true;
  }

  /** Writes the frames collected by the burst. */
  void endBurst() {
    inBurst = false;
    push();
  }

  private void pushLater() {
    if (!inBurst && !pushQueued) {
      pushQueued = true;
      connection.getIoThread().execute(pushTask);
    }
  }

  private void pushDue() {
    pushQueued = false;
    push();
  }

  /** Writes collected frames, unless the socket is known to be full. */
  void push() {
    if (!blocked && !closed) {
      attempt();
    }
  }

  private void onWritable() {
    if (closed) {
      sink.suspendWrites();
      return;
    }
    blocked = false;
    attempt();
    if (isOpen()) {
      sink.suspendWrites();
      owner.writable();
    }
  }

  private void attempt() {
    try {
      if (!drain()) {
        blocked = true;
        sink.resumeWrites();
      }
    } catch (IOException e) {
      failed(e);
    }
  }

  private boolean drain() throws IOException {
    var open = batch;
    if (open != null) {
      var bytes = open.getBuffer().flip();
      var all = write(bytes);
      refill(open);
      if (!all) {
        return false;
      }
    }
    for (var next = overflow.peek(); next != null; next = overflow.peek()) {
      var before = next.remaining();
      var all = write(next);
      overflowBytes -= before - next.remaining();
      if (!all) {
        return false;
      }
      overflow.remove();
    }
    return sink.flush();
  }

  private boolean write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (sink.write(bytes) == 0) {
        return false;
      }
    }
    return true;
  }

  private void failed(IOException cause) {
    close();
    owner.writeFailed(cause);
  }

  /** Shuts the output down after the written bytes. */
  void shutdown() throws IOException {
    closed = true;
    sink.shutdownWrites();
    if (!sink.flush()) {
      sink.setWriteListener(ready -> flushEnd());
      sink.resumeWrites();
    }
  }

  private void flushEnd() {
    try {
      if (sink.flush()) {
        sink.suspendWrites();
      }
    } catch (IOException e) {
      sink.suspendWrites();
      owner.writeFailed(e);
    }
  }

  /** Releases buffers; stops writing. */
  void close() {
    closed = true;
    var open = batch;
    batch = null;
    if (open != null) {
      open.close();
    }
    overflow.clear();
    overflowBytes = 0;
  }
}
