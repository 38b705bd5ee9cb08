// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Engine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.graphql.GraphQlProvider;
import dev.evita.externalapi.grpc.GrpcProvider;
import dev.evita.externalapi.rest.RestProvider;
import dev.evita.externalapi.sql.SqlProvider;
import java.net.URI;

/** The steps that {@code serve} and {@code demo} share: open, serve, print, wait. */
final class ServeSession {

  private final Terminal terminal;
  private final ShutdownSequence lifetime;

  ServeSession(Terminal terminal, ShutdownSequence lifetime) {
    this.terminal = terminal;
    this.lifetime = lifetime;
  }

  Terminal terminal() {
    return terminal;
  }

  ShutdownSequence lifetime() {
    return lifetime;
  }

  /** Opens a database for the lifetime of the process. */
  Engine open(DatabaseOptions options) {
    return lifetime.add(Database.open(options));
  }

  /** Serves until the process is stopped. */
  int serve(Engine engine, Configuration configuration, String sampleQuery) {
    var options = configuration.server();
    var server =
        lifetime.add(
            ExternalApiServer.over(engine)
                .options(options)
                .provider(new GraphQlProvider(configuration.graphQl()))
                .provider(new RestProvider(configuration.rest()))
                .provider(new GrpcProvider(configuration.grpc()))
                .provider(new SqlProvider(configuration.sql()))
                .start());
    var out = terminal.out();
    var uri = server.uri();
    out.printf("Evita %s serves %s%n", Version.text(), engine.name());
    var graphQl = uri + configuration.graphQl().graphqlPath();
    out.printf("  GraphQL    %s%n", graphQl);
    out.printf("  REST       %s%s%n", uri, configuration.rest().restPath());
    out.printf("  gRPC       %s%n", uri.getAuthority());
    var handlers = configuration.sql().handlers();
    if (handlers != null) {
      out.printf("  Handlers   %s (from %s)%n", uri, handlers);
    }
    out.printf("  Liveness   %s/system/liveness%n", uri);
    out.printf("  Readiness  %s/system/readiness%n", uri);
    server.managementUri().ifPresent(own -> out.printf("  Management %s/system/readiness%n", own));
    out.printf("Try it:%n  %s%n", curl(graphQl, configuration, sampleQuery));
    out.printf("  %s%n", grpcurl(uri, configuration));
    out.printf("Stop it with Ctrl-C.%n");
    out.flush();
    lifetime.await();
    return 0;
  }

  private static String curl(String url, Configuration configuration, String query) {
    var insecure = configuration.server().tls().tlsSelfSigned() ? " --insecure" : "";
    return "curl -sS%s %s -H 'content-type: application/json' -d '{\"query\": \"%s\"}'"
        .formatted(insecure, url, query);
  }

  private static String grpcurl(URI uri, Configuration configuration) {
    var tls = configuration.server().tls();
    var how = tls.tlsSelfSigned() ? "-insecure " : tls.enabled() ? "" : "-plaintext ";
    return "grpcurl " + how + uri.getAuthority() + " list";
  }
}
