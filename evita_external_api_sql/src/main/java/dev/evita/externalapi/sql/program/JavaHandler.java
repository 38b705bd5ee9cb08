// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.program;

import org.jspecify.annotations.Nullable;

/** A handler in Java. */
@FunctionalInterface
public interface JavaHandler {

  /**
   * Handles a request.
   *
   * <p>Called on a worker thread, which it may block within the request's deadline. The transaction
   * is committed when it returns a response, before that is sent, and rolled back if it returns
   * null or throws. It is called once more if the transaction fails by a conflict.
   *
   * @param transaction valid during this call only
   * @return null to leave the request to the next handler
   * @throws Exception is logged, and is a response with status 500; an {@code EvitaException} has
   *     the status of its code
   */
  @Nullable HandlerResponse handle(HandlerRequest request, HandlerTransaction transaction)
      throws Exception;
}
