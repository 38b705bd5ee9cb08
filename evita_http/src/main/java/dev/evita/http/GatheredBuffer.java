// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.Buffers;
import org.xnio.conduits.StreamSinkConduit;

/**
 * Writes a head and a small body as one buffer: the operating system takes one sooner than a list
 * of them, and bytes on the heap are copied on the way to it in any case.
 */
final class GatheredBuffer {

  private static final int MOST_BYTES = 4 << 10;
  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(MOST_BYTES));

  private GatheredBuffer() {}

  /** As {@link StreamSinkConduit#write(ByteBuffer[], int, int)}. */
  static long write(StreamSinkConduit to, ByteBuffer[] from, int offset, int length)
      throws IOException {
    if (length == 1) {
      return to.write(from[offset]);
    }
    var all = Buffers.remaining(from, offset, length);
    if (all > MOST_BYTES) {
      return to.write(from, offset, length);
    }
    var buffer = BUFFER.get().clear();
    for (int i = offset; i < offset + length; i++) {
      buffer.put(buffer.position(), from[i], from[i].position(), from[i].remaining());
      buffer.position(buffer.position() + from[i].remaining());
    }
    var written = to.write(buffer.flip());
    skip(from, offset, written);
    return written;
  }

  /** What the socket has taken is no longer to be written. */
  private static void skip(ByteBuffer[] from, int offset, int written) {
    var left = written;
    for (int i = offset; left > 0; i++) {
      var bytes = Math.min(left, from[i].remaining());
      from[i].position(from[i].position() + bytes);
      left -= bytes;
    }
  }
}
