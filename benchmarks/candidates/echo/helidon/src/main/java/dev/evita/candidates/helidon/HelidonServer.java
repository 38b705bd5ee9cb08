// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.helidon;

import dev.evita.candidates.graphql.EchoGraphQl;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/**
 * Helidon SE, which answers on virtual threads. The registry has no module of this version for
 * Jackson.
 */
public final class HelidonServer {

  private HelidonServer() {}

  public static void main(String[] arguments) {
    var graphQl = EchoGraphQl.create();
    WebServer.builder()
        .host("127.0.0.1")
        .port(Integer.getInteger("port"))
        .routing(routing ->
            routing.post("/graphql", (request, response) -> answer(graphQl, request, response)))
        .build()
        .start();
  }

  private static void answer(EchoGraphQl graphQl, ServerRequest request, ServerResponse response) {
    var body = request.content().as(byte[].class);
    response.headers().contentType(MediaTypes.APPLICATION_JSON);
    response.send(graphQl.answer(body));
  }
}
