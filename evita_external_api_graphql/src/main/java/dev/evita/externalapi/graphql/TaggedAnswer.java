// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.ResponseBody;

/** The answer to a query that clients may keep. */
record TaggedAnswer(Exchange exchange, String contentType, EntityTags tags, String tag)
    implements Outlet {

  @Override
  public ResponseBody open() {
    tags.announce(exchange, tag);
    return exchange.respond(200, contentType);
  }

  @Override
  public void failed(ResponseBody body) {
    tags.withdraw(exchange, body.hasLeft());
  }

  @Override
  public void end(ResponseBody body, int rows) {
    body.end();
  }
}
