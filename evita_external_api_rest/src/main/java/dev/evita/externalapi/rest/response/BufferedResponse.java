// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.externalapi.core.exchange.Exchange;
import java.util.Map;

/**
 * An answer that is complete before it leaves.
 *
 * @param headers beside the content type, in their order
 * @param body the bytes; the receiver must not change them
 */
public record BufferedResponse(
    int status, String contentType, Map<String, String> headers, byte[] body) {

  /** The same without rows. */
  public BufferedResponse withoutBody() {
    return new BufferedResponse(status == 200 ? 204 : status, contentType, headers, new byte[0]);
  }

  /** The same of a row that was not there before. */
  public BufferedResponse created() {
    return new BufferedResponse(201, contentType, headers, body);
  }

  public void send(Exchange exchange) {
    headers.forEach(exchange.response()::header);
    var response = exchange.response().respond(status, contentType);
    if (body.length == 0) {
      exchange.response().header("Content-Type", null);
    }
    response.json().raw(body);
    response.end();
  }
}
