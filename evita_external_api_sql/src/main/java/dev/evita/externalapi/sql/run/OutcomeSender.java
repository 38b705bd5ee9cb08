// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;

/** Sends the response that the handlers of a request have described. */
public interface OutcomeSender {

  /**
   * Replaces a template by the body that it makes.
   *
   * @param handler its name, for messages
   * @throws dev.evita.api.EvitaException {@code INVALID_HANDLER_RESPONSE}
   */
  HandlerOutcome rendered(String handler, HandlerOutcome outcome);

  /**
   * Sends a response. Must not block unless the outcome has a file or an upstream.
   *
   * @param handler its name, for messages
   * @throws dev.evita.api.EvitaException {@code INVALID_HANDLER_RESPONSE}, {@code ANSWER_TOO_LARGE}
   */
  void send(Exchange exchange, HandlerInput input, String handler, HandlerOutcome outcome);

  /**
   * Responds to a request that no handler has responded to. May block.
   *
   * @param added headers of the handlers before
   * @throws dev.evita.api.EvitaException {@code NOT_FOUND}, {@code METHOD_NOT_ALLOWED}
   */
  void sendUnhandled(Exchange exchange, HandlerInput input, HandlerOutcome added);
}
