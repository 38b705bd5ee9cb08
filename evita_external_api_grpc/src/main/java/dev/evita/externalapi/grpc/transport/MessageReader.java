// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import io.grpc.Decompressor;
import io.grpc.KnownLength;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a request's bytes into messages: each a flag (1 for compressed), its length in four bytes,
 * and its content. Used by one thread.
 */
public final class MessageReader {

  private static final int PREFIX = 5;
  private static final int AT_ONCE = 16 << 10;

  private final @Nullable Decompressor decompressor;
  private final int maxBytes;
  private final ByteBuffer prefix = ByteBuffer.allocate(PREFIX);
  private byte @Nullable [] message;
  private int length;
  private int filled;

  /**
   * @param decompressor null if none is negotiated
   * @param maxBytes the maximum size of a message, both compressed and uncompressed
   */
  MessageReader(@Nullable Decompressor decompressor, int maxBytes) {
    this.decompressor = decompressor;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the next complete message of the received bytes, and consumes these.
   *
   * @return null if more bytes are needed
   * @throws io.grpc.StatusRuntimeException {@code RESOURCE_EXHAUSTED} for one that is too large,
   *     {@code INTERNAL} for a malformed one
   */
  @Nullable InputStream next(ByteBuffer bytes) {
    var into = message;
    if (into == null) {
      while (prefix.hasRemaining() && bytes.hasRemaining()) {
        prefix.put(bytes.get());
      }
      if (prefix.hasRemaining()) {
        return null;
      }
      length = length();
      into = new byte[Math.min(length, AT_ONCE)];
    }
    var count = Math.min(bytes.remaining(), length - filled);
    if (filled + count > into.length) {
      // Allocates by the received bytes, not by the announced length: an announcement costs a
      // client nothing.
      into = Arrays.copyOf(into, Math.min(length, Math.max(2 * into.length, filled + count)));
    }
    message = into;
    bytes.get(into, filled, count);
    filled += count;
    if (filled < length) {
      return null;
    }
    var compressed = prefix.get(0) == 1;
    prefix.clear();
    message = null;
    filled = 0;
    return compressed ? decompressed(into) : new Bytes(into);
  }

  private int length() {
    var flag = prefix.get(0);
    var length = prefix.getInt(1);
    if (flag != 0 && flag != 1) {
      throw Status.INTERNAL
          .withDescription(
              "A message begins with the byte %d; expected 0, or 1 for a compressed one"
                  .formatted(flag & 0xff))
          .asRuntimeException();
    }
    if (flag == 1 && decompressor == null) {
      throw Status.INTERNAL
          .withDescription("A message is compressed, but grpc-encoding is identity")
          .asRuntimeException();
    }
    if (length < 0 || length > maxBytes) {
      throw tooLarge(Integer.toUnsignedLong(length));
    }
    return length;
  }

  private io.grpc.StatusRuntimeException tooLarge(long length) {
    return Status.RESOURCE_EXHAUSTED
        .withDescription("A message has " + length + " bytes; at most " + maxBytes + " are allowed")
        .asRuntimeException();
  }

  private InputStream decompressed(byte[] bytes) {
    var with = decompressor;
    if (with == null) {
      throw new IllegalStateException("there is none");
    }
    try (var in = with.decompress(new ByteArrayInputStream(bytes))) {
      var all = in.readNBytes(maxBytes + 1);
      if (all.length > maxBytes) {
        throw tooLarge(all.length);
      }
      return new Bytes(all);
    } catch (IOException e) {
      throw Status.INTERNAL
          .withDescription(
              "A message cannot be decompressed: "
                  + (e instanceof EOFException ? "it ends too early" : e.getMessage()))
          .withCause(e)
          .asRuntimeException();
    }
  }

  /** Whether it is in the middle of a message. */
  boolean midway() {
    return message != null || prefix.position() > 0;
  }

  /** An input stream of known length, so that parsers need not copy it first. */
  public static final class Bytes extends ByteArrayInputStream implements KnownLength {
    public Bytes(byte[] bytes) {
      super(bytes);
    }

    /** Returns all of it without a copy; nothing may have been read before. */
    public byte[] whole() {
      return buf;
    }
  }
}
