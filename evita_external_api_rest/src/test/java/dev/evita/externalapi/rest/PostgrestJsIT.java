// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.testkit.NodeProject;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgREST's own client for JavaScript works unchanged. */
final class PostgrestJsIT {

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void postgrestJs_readsAndWrites(String kind) throws IOException, InterruptedException {
    var node = NodeProject.install("postgrest-js", "client.mjs", "REST with postgrest-js");
    try (var rest = RestServer.shop(kind)) {
      assertThat(node.run("node", "client.mjs", rest.uri("").toString()).lines())
          .containsExactly(
              "select",
              "filters",
              "embedding",
              "range and count",
              "one row",
              "csv",
              "insert, update, upsert, delete");
    }
  }
}
