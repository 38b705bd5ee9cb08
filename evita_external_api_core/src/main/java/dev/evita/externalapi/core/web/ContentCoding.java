// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * How an answer can be compressed, at the level that is the fastest: an answer is sent once, and
 * the processor is the database's (docs/http.md has what was measured).
 */
enum ContentCoding {
  /** RFC 1952, by the JDK. */
  GZIP {
    @Override
    OutputStream over(OutputStream sink) throws IOException {
      return new FastGzip(sink);
    }
  },
  /** RFC 8878, by zstd-jni, which need not be there. */
  ZSTD {
    @Override
    OutputStream over(OutputStream sink) throws IOException {
      return Zstd.over(sink);
    }
  };

  private static final int PIECE = 4 << 10;

  /** As in {@code Content-Encoding}. */
  private final String token = name().toLowerCase(Locale.ROOT);

  String token() {
    return token;
  }

  /**
   * A stream that compresses what is written to it, and whose {@code flush} holds nothing back.
   *
   * @param sink takes what is compressed; never fails
   */
  abstract OutputStream over(OutputStream sink) throws IOException;

  /** The coding of this token; null for another. */
  static @Nullable ContentCoding named(String token) {
    for (var coding : values()) {
      if (coding.token.equals(token)) {
        return coding;
      }
    }
    return null;
  }

  private static final class FastGzip extends GZIPOutputStream {
    private FastGzip(OutputStream sink) throws IOException {
      super(sink, PIECE, true);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
