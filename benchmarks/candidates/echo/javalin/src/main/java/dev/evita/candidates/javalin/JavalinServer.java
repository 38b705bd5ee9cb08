// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.javalin;

import dev.evita.candidates.graphql.EchoGraphQl;
import dev.evita.candidates.graphql.GraphQlRequest;
import io.javalin.Javalin;
import io.javalin.http.Context;

/** Javalin with Jackson, on the threads of its Jetty. */
public final class JavalinServer {

  private JavalinServer() {}

  public static void main(String[] arguments) {
    var graphQl = EchoGraphQl.create();
    Javalin.create(config -> config.routes.post("/graphql", context -> answer(graphQl, context)))
        .start("127.0.0.1", Integer.getInteger("port"));
  }

  private static void answer(EchoGraphQl graphQl, Context context) {
    context.json(graphQl.execute(context.bodyAsClass(GraphQlRequest.class)));
  }
}
