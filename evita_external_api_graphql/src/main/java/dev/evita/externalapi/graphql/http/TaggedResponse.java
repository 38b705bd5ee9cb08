// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.graphql.plan.ResponseTarget;

/** The answer to a query that clients may keep. */
public record TaggedResponse(Response response, String contentType, EntityTags tags, String tag)
    implements ResponseTarget {

  @Override
  public ResponseBody open() {
    tags.announce(response, tag);
    return response.respond(200, contentType);
  }

  @Override
  public void failed(ResponseBody body) {
    tags.withdraw(response, body.hasLeft());
  }

  @Override
  public void end(ResponseBody body, int rows) {
    body.end();
  }
}
