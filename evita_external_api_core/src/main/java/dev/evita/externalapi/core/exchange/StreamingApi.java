// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import java.util.List;

/**
 * An API whose requests come, and whose answers leave, piece by piece at the same time. It takes
 * all requests of its media types, whatever their path.
 */
public interface StreamingApi extends Api {

  /**
   * What it takes.
   *
   * @param mediaType what follows it after a plus sign or semicolon is the API's to understand
   * @param forPages whether it is made for pages of browsers: then it is taken over HTTP/1.1 as
   *     well, and from no pages but the server's own and those of {@code cors-origins}
   */
  record Dialect(String mediaType, boolean forPages) {}

  /** All that it takes, the most usual one first. */
  List<Dialect> dialects();

  /**
   * Whether a path is its own as well, besides its {@link #routes}, for {@code POST}: of such as
   * are not known when an epoch begins. What no route takes is asked for here; must not block.
   */
  default boolean takes(String path) {
    return false;
  }

  /**
   * Takes a request of which the head has come.
   *
   * <p>On the connection's thread; must not block. What it throws breaks the call off.
   */
  void open(StreamingExchange call);

  /**
   * Answers a request that is refused by its head alone.
   *
   * <p>On the connection's thread; must not block.
   */
  default void refuse(StreamingExchange call, EvitaException problem) {
    call.refuse(Problems.status(problem.code()));
  }
}
