// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Compresses a body while it is sent. Each piece is sent as soon as it is written: no bytes are
 * held back for the next one.
 *
 * <p>Holds off-heap memory until the last piece, or {@link #close}, which any thread may call.
 */
public final class BodyEncoder {

  private final ByteArrayOutputStream encoded = new ByteArrayOutputStream(1 << 10);
  private final OutputStream stream;
  private final Runnable onClose;
  private boolean closed;

  /**
   * @param onClose called once, when the memory is freed
   */
  BodyEncoder(ContentCoding coding, Runnable onClose) {
    this.onClose = onClose;
    try {
      stream = coding.over(encoded);
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
  }

  /** Compresses the next piece; the caller owns the buffer. Empty after {@link #close}. */
  public synchronized ByteBuffer encode(byte[] bytes, int length, boolean last) throws IOException {
    if (closed) {
      return ByteBuffer.allocate(0);
    }
    stream.write(bytes, 0, length);
    if (last) {
      close();
    } else {
      stream.flush();
    }
    var piece = ByteBuffer.wrap(encoded.toByteArray());
    encoded.reset();
    return piece;
  }

  /** Frees the memory; idempotent. */
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    onClose.run();
    try {
      stream.close();
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
  }
}
