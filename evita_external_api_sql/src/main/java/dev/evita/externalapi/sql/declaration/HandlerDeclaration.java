// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.declaration;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handler as its author wrote it.
 *
 * @param name its file or its row, for messages
 * @param text the statements, with the comments before them
 * @param routes at least one
 * @param priority the higher ones run first
 * @param readOnly whether it changes no data
 * @param timeout null for that of all requests
 * @param live whether its result is sent again after changes, to clients that accept an event
 *     stream
 * @param setBased whether {@code request} may have many rows; null if it has one
 * @param inputs the columns of {@code request} beside those that every request has
 */
public record HandlerDeclaration(
    String name,
    String text,
    List<RoutePattern> routes,
    int priority,
    boolean readOnly,
    @Nullable Duration timeout,
    Stage stage,
    boolean live,
    @Nullable SetBased setBased,
    List<DeclaredInput> inputs) {

  /**
   * The declaration of a handler that serves many requests at once.
   *
   * @param conflictKey the input that no two of them have in common; null for none
   * @param carpool null for the server's mode
   */
  public record SetBased(@Nullable String conflictKey, @Nullable CarpoolMode carpool) {}

  public HandlerDeclaration {
    routes = List.copyOf(routes);
    inputs = List.copyOf(inputs);
  }

  /**
   * Returns the failure of a faulty handler.
   *
   * @param line one-based
   */
  public static EvitaException fault(String name, int line, String message) {
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION, "Handler " + name + ", line " + line + ": " + message);
  }
}
