// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.graphql.request.ErrorResponse;

/** The answer to the one operation of a request. */
public record SingleResponse(Response response, String contentType) implements ResponseTarget {

  @Override
  public ResponseBody open() {
    return response.respond(200, contentType);
  }

  @Override
  public boolean refuse(ResponseBody body, EvitaException problem) {
    var refused = body.rewind(0);
    if (refused) {
      ErrorResponse.send(response, contentType, problem);
    }
    return refused;
  }

  @Override
  public void end(ResponseBody body, int rows) {
    body.end();
  }
}
