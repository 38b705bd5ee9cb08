// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;

/** Creates zstd streams; apart from {@link ContentCoding}, which must load without the library. */
final class Zstd {

  private static final int FASTEST = 1;

  private Zstd() {}

  static OutputStream over(OutputStream sink) throws IOException {
    return new ZstdOutputStreamNoFinalizer(sink, FASTEST);
  }
}
