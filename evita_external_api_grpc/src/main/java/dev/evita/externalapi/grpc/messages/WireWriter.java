// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes protobuf's wire format into a growing buffer. Rows go straight from the engine into it:
 * protobuf's own builders would box each value and traverse it three times. Used by one thread.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Encoding</a>
 */
public final class WireWriter {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  private static final int LONGEST_VARINT = 10;

  private byte[] bytes = new byte[256];
  private int position;

  /** Returns the tag of a field. */
  static int tag(int number, int wireType) {
    return number << 3 | wireType;
  }

  private void ensure(int more) {
    if (bytes.length - position < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, position + more));
    }
  }

  public int position() {
    return position;
  }

  /** Returns the written bytes in an array of their own, and resets the writer. */
  public byte[] take() {
    var taken = Arrays.copyOf(bytes, position);
    position = 0;
    return taken;
  }

  /** Writes a varint (seven bits per byte). */
  WireWriter varint(long value) {
    ensure(LONGEST_VARINT);
    var rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[position++] = (byte) rest;
    return this;
  }

  public WireWriter bool(int number, boolean value) {
    return varint(tag(number, VARINT)).varint(value ? 1 : 0);
  }

  /** Writes a field of type int32, int64 or an enumeration. */
  public WireWriter integer(int number, long value) {
    return varint(tag(number, VARINT)).varint(value);
  }

  WireWriter real(int number, double value) {
    varint(tag(number, FIXED64));
    ensure(Long.BYTES);
    var bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[position++] = (byte) (bits >>> (8 * i));
    }
    return this;
  }

  WireWriter real(int number, float value) {
    varint(tag(number, FIXED32));
    ensure(Integer.BYTES);
    var bits = Float.floatToRawIntBits(value);
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[position++] = (byte) (bits >>> (8 * i));
    }
    return this;
  }

  /** Writes a string as UTF-8; an unpaired surrogate becomes a question mark. */
  public WireWriter string(int number, String value) {
    var length = value.length();
    if (length < 128) {
      // Most texts are short and ASCII; their length is then known before encoding.
      varint(tag(number, LENGTH));
      ensure(length + 1);
      var start = position;
      bytes[position++] = (byte) length;
      for (int i = 0; i < length; i++) {
        var c = value.charAt(i);
        if (c >= 0x80) {
          position = start;
          return raw(value.getBytes(StandardCharsets.UTF_8));
        }
        bytes[position++] = (byte) c;
      }
      return this;
    }
    return binary(number, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a field of bytes, or of an encoded message. */
  public WireWriter binary(int number, byte[] value) {
    return varint(tag(number, LENGTH)).raw(value);
  }

  private WireWriter raw(byte[] value) {
    varint(value.length);
    ensure(value.length);
    System.arraycopy(value, 0, bytes, position, value.length);
    position += value.length;
    return this;
  }

  /**
   * Begins a nested message.
   *
   * @return the argument for {@link #end}
   */
  public int begin(int number) {
    varint(tag(number, LENGTH));
    return position;
  }

  /** Ends a nested message, whose length is known only now. */
  public void end(int begun) {
    var length = position - begun;
    var prefix = 1;
    for (int rest = length >>> 7; rest != 0; rest >>>= 7) {
      prefix++;
    }
    ensure(prefix);
    System.arraycopy(bytes, begun, bytes, begun + prefix, length);
    var behind = position + prefix;
    position = begun;
    varint(length);
    position = behind;
  }
}
