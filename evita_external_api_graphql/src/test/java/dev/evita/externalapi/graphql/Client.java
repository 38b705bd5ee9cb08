// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Engine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient;
import dev.evita.externalapi.core.Limits;
import dev.evita.externalapi.core.ServerOptions;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A server with GraphQL over an engine, asked without a socket. */
final class Client implements AutoCloseable {

  private final ExternalApiServer server;

  Client(Engine engine) {
    this(engine, Limits.DEFAULT, GraphQlOptions.DEFAULT);
  }

  Client(Engine engine, Limits limits, GraphQlOptions options) {
    this.server =
        ExternalApiServer.over(engine)
            .options(ServerOptions.builder().limits(limits).build())
            .withoutDiscovery()
            .provider(new GraphQlProvider(options))
            .start();
  }

  ExternalApiServer server() {
    return server;
  }

  /** The body of the answer to a document. */
  String ask(String document) {
    return ask(document, "{}");
  }

  /** The body of the answer to a document with variables. */
  String ask(String document, String variables) {
    return post("{\"query\":" + quoted(document) + ",\"variables\":" + variables + "}").text();
  }

  InProcessClient.Response post(String body) {
    return server.client().send(InProcessClient.Request.post("/graphql", "application/json", body));
  }

  InProcessClient.Response send(
      String method, String target, Map<String, String> headers, byte @Nullable [] body) {
    return server
        .client()
        .send(
            new InProcessClient.Request(
                method, target, headers, body == null ? new byte[0] : body));
  }

  static String quoted(String text) {
    var bytes = new ByteArrayOutputStream();
    try (var generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), bytes)) {
      generator.writeString(text);
    }
    return bytes.toString(java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.close();
  }
}
