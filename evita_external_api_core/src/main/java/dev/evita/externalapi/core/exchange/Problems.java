// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpStatuses;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.work.Response;
import dev.evita.http.HttpFault;

/** Problem documents of errors (RFC 9457). */
public final class Problems {

  /** The media type of problem documents. */
  public static final String MEDIA_TYPE = HttpFault.MEDIA_TYPE;

  private Problems() {}

  static void send(Response response, Throwable failure) {
    var problem = response.work().report(failure);
    send(response, HttpStatuses.of(problem.code()), problem);
  }

  /** The same with a status that is more specific than the code's. */
  static void send(Response response, int status, EvitaException problem) {
    if (response.hasLeft()) {
      response.abort();
      return;
    }
    var body = response.respond(status, MEDIA_TYPE);
    write(body.json(), status, problem);
    body.end();
  }

  /** Writes the problem document. */
  static void write(JsonWriter json, int status, EvitaException problem) {
    json.raw("{\"type\":\"about:blank\",\"title\":");
    json.string(HttpFault.reason(status));
    json.raw(",\"status\":").number(status);
    json.raw(",\"code\":\"" + problem.code().name() + "\",\"detail\":");
    json.string(problem.publicMessage());
    json.raw('}');
  }
}
