// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects a header block from a HEADERS frame and the CONTINUATION frames that follow it. No other
 * frame may come between them (RFC 9113, section 4.3), so a connection has at most one.
 */
final class HeadBlock {

  /** The largest block that is decoded; a larger one ends the connection. */
  private static final int MAX_BYTES = 256 << 10;

  /** The maximum number of CONTINUATION frames of one block, as each may be empty. */
  private static final int MAX_FRAMES = 64;

  private final int stream;
  private final boolean endStream;
  private final long begunNanos;
  private byte[] bytes;
  private int length;
  private int frames;

  HeadBlock(int stream, boolean endStream, long begunNanos, ByteBuffer first) {
    this.stream = stream;
    this.endStream = endStream;
    this.begunNanos = begunNanos;
    this.bytes = new byte[2 * Math.max(first.remaining(), 1 << 10)];
    put(first);
  }

  /**
   * Adds the payload of a CONTINUATION frame.
   *
   * @throws Http2Fault {@code ENHANCE_YOUR_CALM} if the block is too large
   */
  void add(ByteBuffer fragment) throws Http2Fault {
    if (++frames > MAX_FRAMES || length + fragment.remaining() > MAX_BYTES) {
      throw new Http2Fault(Http2Error.ENHANCE_YOUR_CALM, "header block is too large");
    }
    put(fragment);
  }

  private void put(ByteBuffer fragment) {
    var needed = length + fragment.remaining();
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    var count = fragment.remaining();
    fragment.get(bytes, length, count);
    length += count;
  }

  int stream() {
    return stream;
  }

  boolean endStream() {
    return endStream;
  }

  /** The arrival time of the HEADERS frame, on the clock of {@link System#nanoTime}. */
  long begunNanos() {
    return begunNanos;
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(bytes, 0, length);
  }
}
