// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.externalapi.core.Exchange;
import java.util.Map;

/**
 * An answer that is complete before it leaves.
 *
 * @param headers beside the content type, in their order
 * @param body the bytes; the receiver must not change them
 */
record Answer(int status, String contentType, Map<String, String> headers, byte[] body) {

  /** The same without rows. */
  Answer withoutBody() {
    return new Answer(status == 200 ? 204 : status, contentType, headers, new byte[0]);
  }

  /** The same of a row that was not there before. */
  Answer created() {
    return new Answer(201, contentType, headers, body);
  }

  void send(Exchange exchange) {
    headers.forEach(exchange::responseHeader);
    var response = exchange.respond(status, contentType);
    if (body.length == 0) {
      exchange.responseHeader("Content-Type", null);
    }
    response.json().raw(body);
    response.end();
  }
}
