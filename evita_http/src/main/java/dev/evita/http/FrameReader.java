// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.ConduitStreamSourceChannel;

/**
 * Splits the socket's input into the client's preface and frames. Keeps one pooled buffer while a
 * frame is incomplete, and none otherwise. Belongs to the connection's thread.
 */
final class FrameReader {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Receives frames. */
  interface Sink {

    /** Handles a frame whose length has been checked, but nothing else. */
    void frame(int type, int flags, int stream, ByteBuffer payload) throws Http2Fault;
  }

  private final ConduitStreamSourceChannel source;
  private final ByteBufferPool buffers;
  private final Sink sink;
  private @Nullable PooledByteBuffer input;
  private boolean prefaceRead;
  private boolean closed;
  private boolean discarding;
  private int discarded;
  private long lastReadNanos = System.nanoTime();

  FrameReader(ConduitStreamSourceChannel source, ByteBufferPool buffers, Sink sink) {
    this.source = source;
    this.buffers = buffers;
    this.sink = sink;
  }

  /** The time of the last input, on the clock of {@link System#nanoTime}. */
  long lastReadNanos() {
    return lastReadNanos;
  }

  /** The number of bytes discarded after {@link #discard}. */
  int discarded() {
    return discarded;
  }

  /** Discards all further input. */
  void discard() {
    discarding = true;
  }

  /** Handles bytes read from the connection before; takes over the buffer. */
  void unread(PooledByteBuffer first) throws Http2Fault {
    input = first;
    first.getBuffer().compact();
    frames(first);
  }

  /**
   * Reads once, and handles complete frames.
   *
   * @return the number of bytes; -1 at the end
   */
  int read() throws IOException, Http2Fault {
    var open = input;
    if (open == null) {
      open = buffers.allocate();
      input = open;
    }
    var count = readSource(open.getBuffer());
    if (closed) {
      return -1; // the connection was found closed
    }
    if (count > 0) {
      lastReadNanos = System.nanoTime();
      frames(open);
    } else if (open.getBuffer().position() == 0) {
      release();
    }
    return count;
  }

  /**
   * Reads. Undertow's {@code SslConduit} (2.4.4) frees its buffer while it responds to the client's
   * close_notify, then reads from it, and has closed the connection when it throws.
   */
  private int readSource(ByteBuffer to) throws IOException {
    try {
      return source.read(to);
    } catch (NullPointerException e) {
      throw new IOException("TLS was closed by the client", e);
    }
  }

  private void frames(PooledByteBuffer open) throws Http2Fault {
    var bytes = open.getBuffer().flip();
    try {
      if (!prefaceRead) {
        preface(bytes);
      }
      while (prefaceRead && !discarding && !closed && isComplete(bytes)) {
        frame(bytes);
      }
    } catch (Http2Fault e) {
      discarding = true;
      throw e;
    } finally {
      if (!closed) {
        keep(bytes);
      }
    }
  }

  private void keep(ByteBuffer bytes) {
    if (discarding) {
      discarded += bytes.remaining();
      bytes.position(bytes.limit());
    }
    bytes.compact();
    if (bytes.position() == 0) {
      release();
    }
  }

  private void preface(ByteBuffer bytes) throws Http2Fault {
    var most = Math.min(bytes.remaining(), PREFACE.length);
    for (int i = 0; i < most; i++) {
      if (bytes.get(bytes.position() + i) != PREFACE[i]) {
        throw new Http2Fault(Http2Error.PROTOCOL_ERROR, "invalid connection preface");
      }
    }
    if (most == PREFACE.length) {
      bytes.position(bytes.position() + most);
      prefaceRead = true;
    }
  }

  private static int length(ByteBuffer bytes) {
    return bytes.getInt(bytes.position()) >>> Byte.SIZE;
  }

  private static boolean isComplete(ByteBuffer bytes) throws Http2Fault {
    if (bytes.remaining() < Http2Frame.HEADER_BYTES) {
      return false;
    }
    var length = length(bytes);
    if (length > Http2Frame.MAX_PAYLOAD) {
      throw new Http2Fault(Http2Error.FRAME_SIZE_ERROR, "frame of more than 16384 bytes");
    }
    return bytes.remaining() >= Http2Frame.HEADER_BYTES + length;
  }

  private void frame(ByteBuffer bytes) throws Http2Fault {
    var length = length(bytes);
    var type = bytes.get(bytes.position() + 3) & 0xff;
    var flags = bytes.get(bytes.position() + 4) & 0xff;
    var stream = bytes.getInt(bytes.position() + 5) & Integer.MAX_VALUE;
    var limit = bytes.limit();
    var end = bytes.position() + Http2Frame.HEADER_BYTES + length;
    bytes.position(bytes.position() + Http2Frame.HEADER_BYTES).limit(end);
    sink.frame(type, flags, stream, bytes);
    bytes.limit(limit).position(end);
  }

  private void release() {
    var open = input;
    input = null;
    if (open != null) {
      open.close();
    }
  }

  /** Releases the buffer; stops reading. */
  void close() {
    closed = true;
    release();
  }
}
