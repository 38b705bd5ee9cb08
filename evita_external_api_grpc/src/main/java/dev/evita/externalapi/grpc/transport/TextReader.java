// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Decodes base64 that arrives in pieces, each of which may be padded on its own (gRPC-Web,
 * "Text-encoded streams"), whereas the JDK's decoder supports padding only at the end. Used by one
 * thread.
 */
final class TextReader {

  private static final int QUAD = 4;
  private static final byte[] VALUES = values();

  private int bits;
  private int digits;
  private int padding;
  private ByteBuffer decoded = ByteBuffer.allocate(0);

  private static byte[] values() {
    var values = new byte[256];
    Arrays.fill(values, (byte) -1);
    var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      values[alphabet.charAt(i)] = (byte) i;
    }
    return values;
  }

  /**
   * Decodes these characters, together with those left over from before; the result is valid until
   * the next call.
   *
   * @throws io.grpc.StatusRuntimeException {@code INTERNAL} for malformed base64
   */
  ByteBuffer decode(ByteBuffer text) {
    var most = (text.remaining() + QUAD) / QUAD * (QUAD - 1);
    if (decoded.capacity() < most) {
      decoded = ByteBuffer.allocate(most);
    }
    decoded.clear();
    while (text.hasRemaining()) {
      take(text.get());
    }
    return decoded.flip();
  }

  private void take(byte character) {
    var value = VALUES[character & 0xff];
    if (character == '=' && digits >= 2) {
      value = 0;
      padding++;
    } else if (value < 0 || padding > 0) {
      throw Status.INTERNAL
          .withDescription(
              "The request has the byte %d where base64 cannot have it".formatted(character & 0xff))
          .asRuntimeException();
    }
    bits = bits << 6 | value;
    if (++digits == QUAD) {
      for (int i = 2; i >= padding; i--) {
        decoded.put((byte) (bits >> (8 * i)));
      }
      bits = 0;
      digits = 0;
      padding = 0;
    }
  }

  /** Whether it is within a group of four characters. */
  boolean midway() {
    return digits > 0;
  }
}
