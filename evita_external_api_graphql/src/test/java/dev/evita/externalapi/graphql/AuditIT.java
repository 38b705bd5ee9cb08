// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.tls.TlsOptions;
import dev.evita.externalapi.graphql.plan.OracleIT;
import dev.evita.testsupport.NodeProject;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The server audits of the npm package {@code graphql-http}, MUSTs and SHOULDs, against the real
 * server.
 */
@Tag("tools")
final class AuditIT {

  /** How many audits the package has: fewer would mean that not all were run. */
  private static final int AUDITS = 61;

  private static NodeProject project;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    project = NodeProject.install("graphql-http", "the audits of GraphQL over HTTP");
  }

  @Test
  void audits_overHttp_pass() throws IOException, InterruptedException {
    try (var server = server(TlsOptions.NONE)) {
      requireAllPass(project.run("node", "audit.mjs", server.uri() + "/graphql"));
    }
  }

  @Test
  void audits_overHttp2WithTls_pass() throws IOException, InterruptedException {
    try (var server = server(TlsOptions.builder().tlsSelfSigned(true).build())) {
      requireAllPass(project.run("node", "audit.mjs", server.uri() + "/graphql", "h2"));
    }
  }

  private static ExternalApiServer server(TlsOptions tls) {
    return ExternalApiServer.over(ShopData.engine())
        .options(ServerOptions.builder().tls(tls).build())
        .withoutDiscovery()
        .provider(new GraphQlProvider())
        .start();
  }

  private static void requireAllPass(String output) {
    var results = output.lines().toList();
    assertThat(results).hasSize(AUDITS);
    assertThat(results)
        .allSatisfy(line -> {
          var result = (Map<?, ?>) OracleIT.parse(line);
          assertThat(result.get("status")).as(line).isEqualTo("ok");
        });
  }
}
