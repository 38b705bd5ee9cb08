// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import org.jspecify.annotations.Nullable;

/** The transport below a {@link Response}: a stream of HTTP, or memory. */
public interface ResponseChannel {

  /** Sets status and content type of an answer of which nothing has left yet. */
  void start(int status, String contentType);

  /** Sets a header of the answer, before its first byte leaves; null takes it back. */
  void header(String name, @Nullable String value);

  /** Whether any byte of the answer has left. */
  boolean committed();

  /**
   * Writes without blocking.
   *
   * @param last whether these are the last bytes of the body; the channel then ends the work
   * @return whether all were taken; if not, it has kept a copy of the rest, and {@link
   *     Response#drained} follows {@link #awaitDrain} once that has left
   */
  boolean write(byte[] bytes, int length, boolean last);

  /** Lets the channel call {@link Response#drained} from now on. */
  void awaitDrain();

  /** Breaks the answer off. Thread-safe. */
  void abort();
}
