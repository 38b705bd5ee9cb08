// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.ResponseBody;

/** The answer to the one operation of a request. */
record WholeAnswer(Exchange exchange, String contentType) implements Outlet {

  @Override
  public ResponseBody open() {
    return exchange.respond(200, contentType);
  }

  @Override
  public boolean refuse(ResponseBody body, EvitaException problem) {
    var refused = body.rewind(0);
    if (refused) {
      GraphQlApi.refuse(exchange, contentType, problem);
    }
    return refused;
  }

  @Override
  public void end(ResponseBody body, int rows) {
    body.end();
  }
}
