// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.graphql.plan.OracleIT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/graphql.md are answered as they say. */
final class DocumentationIT {

  private static final Pattern EXAMPLE =
      Pattern.compile(
          "```graphql\\n(.*?)```\\s*(?:```json variables\\n(.*?)```\\s*)?```json\\n(.*?)```",
          Pattern.DOTALL);

  @Test
  void examples_ofTheDocumentation_areAnsweredAsTheySay() throws IOException {
    var text = Files.readString(Path.of("..", "docs", "graphql.md"));
    try (var engine = H2Shop.open(ShopData.engine());
        var client = new Client(engine)) {
      var examples = 0;
      for (var example = EXAMPLE.matcher(text); example.find(); examples++) {
        var variables = example.group(2) == null ? "{}" : example.group(2);
        var answer = client.ask(example.group(1), variables);
        assertThat(OracleIT.canonical(OracleIT.parse(answer)))
            .as(example.group(1) + "\n" + answer)
            .isEqualTo(OracleIT.canonical(OracleIT.parse(example.group(3))));
      }
      assertThat(examples).isGreaterThanOrEqualTo(5);
    }
  }
}
