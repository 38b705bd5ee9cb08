// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.vertx;

import dev.evita.candidates.graphql.EchoGraphQl;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.graphql.GraphQLHandler;

/** Vert.x Web, which answers on its event loop. */
public final class VertxServer {

  private VertxServer() {}

  public static void main(String[] arguments) {
    var vertx = Vertx.vertx();
    var router = Router.router(vertx);
    router
        .post("/graphql")
        .handler(BodyHandler.create())
        .handler(GraphQLHandler.create(EchoGraphQl.create().graphQl()));
    vertx
        .createHttpServer()
        .requestHandler(router)
        .listen(Integer.getInteger("port"), "127.0.0.1")
        .await();
  }
}
