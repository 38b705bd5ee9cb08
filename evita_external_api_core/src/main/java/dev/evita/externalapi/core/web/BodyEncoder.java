// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Compresses a body as it leaves. What is handed over piece by piece leaves piece by piece: nothing
 * is held back for the next one.
 *
 * <p>Holds memory outside the heap until the last piece, or {@link #close}, which may come from any
 * thread.
 */
public final class BodyEncoder {

  private final ByteArrayOutputStream encoded = new ByteArrayOutputStream(1 << 10);
  private final OutputStream stream;
  private final Runnable onClose;
  private boolean closed;

  /**
   * @param onClose called once, when memory is given back
   */
  BodyEncoder(ContentCoding coding, Runnable onClose) {
    this.onClose = onClose;
    try {
      stream = coding.over(encoded);
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
  }

  /** The next piece, compressed; the buffer is the caller's. Empty after {@link #close}. */
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

  /** Gives memory back; idempotent. */
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
