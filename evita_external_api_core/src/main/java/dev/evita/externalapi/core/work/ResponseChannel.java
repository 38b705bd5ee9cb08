// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import org.jspecify.annotations.Nullable;

/** The transport below a {@link Response}: a stream of HTTP, or memory. */
public interface ResponseChannel {

  /** Sets status and content type of a response that was not sent yet. */
  void start(int status, String contentType);

  /** Sets a header of the response, before its first byte is sent; null removes it. */
  void header(String name, @Nullable String value);

  /** Adds a line of a header that may have several, before the first byte is sent. */
  void addHeader(String name, String value);

  /** Whether any byte of the response was sent. */
  boolean committed();

  /**
   * Writes without blocking.
   *
   * @param last whether these are the last bytes of the body; the channel then ends the work
   * @return whether all bytes were taken; if not, the channel keeps a copy of the rest, and calls
   *     {@link Response#drained} after {@link #awaitDrain} once that was sent
   */
  boolean write(byte[] bytes, int length, boolean last);

  /** Allows the channel to call {@link Response#drained} from now on. */
  void awaitDrain();

  /** Aborts the response. Thread-safe. */
  void abort();
}
