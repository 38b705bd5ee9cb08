// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import dev.evita.externalapi.sql.outcome.HeaderRules;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import dev.evita.externalapi.sql.program.HandlerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks the response of a handler in Java. */
final class ProgramOutcome {

  private ProgramOutcome() {}

  /**
   * Converts a response.
   *
   * @param handler its name, for messages
   * @throws EvitaException {@code INVALID_HANDLER_RESPONSE}
   */
  static HandlerOutcome of(String handler, HandlerResponse response) {
    var headers = new ArrayList<Map.Entry<String, String>>();
    response
        .headers()
        .forEach((name, value) -> {
          if (!HeaderRules.maySet(name) || !HeaderRules.isValue(value)) {
            throw invalid(handler, "the header " + HeaderRules.printable(name));
          }
          headers.add(Map.entry(name, value));
        });
    if (response.status() < 200 || response.status() > 599) {
      throw invalid(handler, "the status " + response.status());
    }
    var type = response.contentType();
    if (type != null && !HeaderRules.isValue(type)) {
      throw invalid(handler, "the content type " + HeaderRules.printable(type));
    }
    return new HandlerOutcome(
        0,
        response.status(),
        headers,
        type == null ? null : response.body(),
        type,
        null,
        List.of(),
        false,
        null,
        null,
        null,
        Map.of());
  }

  private static EvitaException invalid(String handler, String what) {
    return new EvitaException(
        SqlErrorCode.INVALID_HANDLER_RESPONSE,
        "Handler " + handler + " returned " + what + ", which is not valid");
  }
}
