// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.microhttp;

import dev.evita.candidates.graphql.EchoGraphQl;
import java.io.IOException;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.OptionsBuilder;
import org.microhttp.Request;
import org.microhttp.Response;

/** microhttp, which answers on its event loop. */
public final class MicrohttpServer {

  private static final List<Header> JSON = List.of(new Header("Content-Type", "application/json"));
  private static final Response NOT_FOUND = new Response(404, "Not Found", List.of(), new byte[0]);

  private MicrohttpServer() {}

  public static void main(String[] arguments) throws IOException {
    var graphQl = EchoGraphQl.create();
    Handler handler = (request, answer) -> answer.accept(answer(graphQl, request));
    var options =
        OptionsBuilder.newBuilder().withHost("127.0.0.1").withPort(Integer.getInteger("port"));
    new EventLoop(options.build(), handler).start();
  }

  private static Response answer(EchoGraphQl graphQl, Request request) {
    return request.uri().equals("/graphql")
        ? new Response(200, "OK", JSON, graphQl.answer(request.body()))
        : NOT_FOUND;
  }
}
