// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpStatuses;
import java.util.List;

/**
 * An API whose requests and responses are transferred piece by piece, in parallel. It serves all
 * requests of its media types, whatever their path.
 */
public interface StreamingApi extends Api {

  /**
   * A media type that it serves.
   *
   * @param mediaType the type; any text after a plus sign or semicolon is left to the API
   * @param forPages whether it is meant for browser pages: then it is also served over HTTP/1.1,
   *     and only for the server's own origin and those of {@code cors-origins}
   */
  record Dialect(String mediaType, boolean forPages) {}

  /** All media types that it serves, the most common one first. */
  List<Dialect> dialects();

  /**
   * Whether it also serves {@code POST} to a path outside its {@link #routes}, as some are not
   * known when an epoch begins. Called for paths that no route matches; must not block.
   */
  default boolean takes(String path) {
    return false;
  }

  /**
   * Opens a call whose head has arrived.
   *
   * <p>Called on the connection's thread; must not block. An exception aborts the call.
   */
  void open(StreamingExchange call);

  /**
   * Responds to a request that is refused by its head alone.
   *
   * <p>Called on the connection's thread; must not block.
   */
  default void refuse(StreamingExchange call, EvitaException problem) {
    call.refuse(HttpStatuses.of(problem.code()));
  }
}
