// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.testsupport.NodeProject;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgREST's own client for JavaScript works unchanged. */
@Tag("tools")
final class PostgrestJsIT {

  private static final String SETS =
      """
      create table sets (id int primary key, tags text[], data jsonb, span int4range, words text);
      insert into sets values (1, '{a,"d e"}', '{"a": 1, "b": 2}', '[1,5)', 'The lazy dog'),
        (2, '{a,b}', '{}', '[5,10)', 'Fat cats ate rats');
      """;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void postgrestJs_readsAndWrites(String kind) throws IOException, InterruptedException {
    var node = NodeProject.install("postgrest-js", "REST with postgrest-js");
    var script =
        switch (kind) {
          case "sqlite" -> RestServer.SHOP;
          case "h2" -> RestServer.SHOP + RestServer.routines(kind);
          default -> RestServer.SHOP + RestServer.routines(kind) + SETS;
        };
    try (var rest = RestServer.over(kind, script, Limits.DEFAULT)) {
      assertThat(node.run("node", "client.mjs", rest.uri("").toString(), kind).lines())
          .startsWith(
              "select",
              "filters",
              "embedding",
              "range and count",
              "one row",
              "csv",
              "insert, update, upsert, delete",
              "many rows",
              "related rows",
              "counts",
              "failures")
          .hasSize(kind.equals("sqlite") ? 11 : kind.equals("h2") ? 12 : 13);
    }
  }
}
