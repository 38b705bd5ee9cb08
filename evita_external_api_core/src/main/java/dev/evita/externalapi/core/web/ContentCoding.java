// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A coding for compressed responses, at its fastest level: a response is sent once, and the
 * database needs the processor (docs/http.md has the measurements).
 */
enum ContentCoding {
  /** RFC 1952, by the JDK. */
  GZIP {
    @Override
    OutputStream over(OutputStream sink) throws IOException {
      return new FastGzip(sink);
    }
  },
  /** RFC 8878, by zstd-jni, which is optional. */
  ZSTD {
    @Override
    OutputStream over(OutputStream sink) throws IOException {
      return Zstd.over(sink);
    }
  };

  private static final int PIECE = 4 << 10;

  /** The name in {@code Content-Encoding}. */
  private final String token = name().toLowerCase(Locale.ROOT);

  String token() {
    return token;
  }

  /**
   * Returns a compressing stream whose {@code flush} holds nothing back.
   *
   * @param sink receives the compressed bytes; never fails
   */
  abstract OutputStream over(OutputStream sink) throws IOException;

  /** The coding of this name; null if unknown. */
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
