// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

/**
 * One spare buffer per thread: an answer that begins and ends on one thread allocates none.
 *
 * <p>A buffer that was given back elsewhere, or has grown, is left to the garbage collector; so
 * nothing can leak, whatever becomes of an exchange.
 */
final class Buffers {

  static final int SIZE = ResponseBody.HIGH_WATER + (8 << 10);

  private static final ThreadLocal<byte[][]> SPARE = ThreadLocal.withInitial(() -> new byte[1][]);

  private Buffers() {}

  static byte[] take() {
    var slot = SPARE.get();
    var buffer = slot[0];
    if (buffer == null) {
      return new byte[SIZE];
    }
    slot[0] = null;
    return buffer;
  }

  static void give(byte[] buffer) {
    if (buffer.length == SIZE) {
      SPARE.get()[0] = buffer;
    }
  }
}
