// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import io.grpc.Compressor;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Encodes a message with its prefix. */
final class MessageWriter {

  private static final int PREFIX = 5;
  private static final int GUESS = 256;

  /** Access to the written bytes without a copy. */
  static final class Framed extends ByteArrayOutputStream {

    private Framed(int size) {
      super(size);
    }

    byte[] bytes() {
      return buf;
    }

    int length() {
      return count;
    }
  }

  private MessageWriter() {}

  /**
   * Returns one encoded message.
   *
   * @param compressor null for an uncompressed message
   */
  static Framed frame(InputStream message, @Nullable Compressor compressor) {
    try (message) {
      var known = message instanceof KnownLength ? message.available() : GUESS;
      var framed = new Framed(PREFIX + known);
      framed.writeBytes(new byte[PREFIX]);
      if (compressor == null) {
        copy(message, framed);
      } else {
        try (var compressed = compressor.compress(framed)) {
          copy(message, compressed);
        }
      }
      ByteBuffer.wrap(framed.bytes())
          .put((byte) (compressor == null ? 0 : 1))
          .putInt(framed.length() - PREFIX);
      return framed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(InputStream message, OutputStream to) throws IOException {
    if (message instanceof Drainable drainable) {
      drainable.drainTo(to);
    } else {
      message.transferTo(to);
    }
  }
}
