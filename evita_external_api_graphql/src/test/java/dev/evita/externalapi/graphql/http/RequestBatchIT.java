// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.GraphQlLimits;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.ShopData;
import dev.evita.externalapi.graphql.plan.OracleIT;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several requests in one body. */
final class RequestBatchIT {

  private static final String BY_KEY =
      "{\"query\": \"query($id: Int!) { products_by_pk(id: $id) { id } }\", \"variables\":"
          + " {\"id\": %d}}";

  private static Client client(Engine engine, int maxRows, GraphQlLimits limits) {
    return client(engine, Limits.builder().maxRows(maxRows).build(), limits);
  }

  private static Client client(Engine engine, Limits common, GraphQlLimits limits) {
    var options = GraphQlOptions.builder().limits(limits).build();
    return new Client(engine, Client.Way.IN_PROCESS, common, options);
  }

  private static String batch(String... requests) {
    return "[" + String.join(", ", requests) + "]";
  }

  private static String query(String document) {
    return "{\"query\": " + Client.quoted(document) + "}";
  }

  @ParameterizedTest
  @EnumSource(Client.Way.class)
  void requests_haveResponsesInOrder_eachWithItsErrors(Client.Way way) {
    try (var client = new Client(ShopData.engine(), way)) {
      var answer =
          client.post(
              batch(
                  BY_KEY.formatted(2),
                  query("{ nowhere }"),
                  "{}",
                  query("mutation { x }"),
                  BY_KEY.formatted(1)));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body())
          .startsWith("[{\"data\":{\"products_by_pk\":{\"id\":2}}},{\"errors\":[{")
          .contains("INVALID_DOCUMENT", "MALFORMED_REQUEST", "There is no query")
          .endsWith("}]},{\"data\":{\"products_by_pk\":{\"id\":1}}}]");
      OracleIT.parse(answer.body());
    }
  }

  @Test
  void requests_ofAnAsynchronousEngine_haveResponsesInOrder() {
    try (var threads = Executors.newSingleThreadExecutor();
        var client = new Client(ShopData.engine().answeringOn(threads))) {
      var requests =
          IntStream.rangeClosed(1, 10).mapToObj(BY_KEY::formatted).toArray(String[]::new);
      assertThat(client.post(batch(requests)).body())
          .isEqualTo(
              IntStream.rangeClosed(1, 10)
                  .mapToObj(id -> "{\"data\":{\"products_by_pk\":{\"id\":%d}}}".formatted(id))
                  .collect(Collectors.joining(",", "[", "]")));
    }
  }

  @Test
  void requests_thatAreMany_doNotDeepenTheStack() {
    var limits = GraphQlLimits.builder().maxRootFields(100_000).maxBatch(5_000).build();
    try (var client = client(ShopData.engine(), 100_000, limits)) {
      var requests = IntStream.range(0, 5_000).mapToObj(i -> BY_KEY.formatted(1));
      assertThat(client.post(batch(requests.toArray(String[]::new))).body())
          .endsWith("{\"data\":{\"products_by_pk\":{\"id\":1}}}]");
    }
  }

  @Test
  void batch_ofMoreRequestsThanAllowed_isRejected() {
    var ten = IntStream.rangeClosed(1, 10).mapToObj(BY_KEY::formatted).toArray(String[]::new);
    try (var client = new Client(ShopData.engine())) {
      assertThat(client.post(batch(ten)).status()).isEqualTo(200);
      var answer = client.post(batch(String.join(",", ten), BY_KEY.formatted(11)));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("BATCH_TOO_LARGE", "more than 10 requests");
    }
    var off = GraphQlLimits.builder().maxBatch(0).build();
    try (var client = client(ShopData.engine(), 100, off)) {
      assertThat(client.post(batch(BY_KEY.formatted(1))).body())
          .contains("BATCH_TOO_LARGE", "one request at a time");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[1]", "[{}, []]", "[{\"query\": 1}]", "[{}", "[{}] {}", "[null]"})
  void batch_ofNoRequests_isMalformed(String body) {
    try (var client = new Client(ShopData.engine())) {
      var answer = client.post(body);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).startsWith("{").contains("MALFORMED_REQUEST");
    }
  }

  @Test
  void limits_holdForTheWholeBatch() {
    var eight = query("{ products(limit: 8) { id } }");
    try (var client = client(ShopData.engine(), 10, GraphQlLimits.DEFAULT)) {
      assertThat(client.post(batch(eight)).body()).doesNotContain("errors");
      assertThat(client.post(batch(eight, eight)).body()).contains("TOO_MANY_ROWS");
    }
    try (var client =
        client(ShopData.engine(), Limits.builder().maxCost(10).build(), GraphQlLimits.DEFAULT)) {
      assertThat(client.post(batch(eight)).body()).doesNotContain("errors");
      assertThat(client.post(batch(eight, eight)).body()).contains("TOO_COSTLY");
    }
    var roots = query("{ a: __typename b: __typename c: __typename }");
    try (var client =
        client(ShopData.engine(), 100, GraphQlLimits.builder().maxRootFields(4).build())) {
      assertThat(client.post(batch(roots)).body()).doesNotContain("errors");
      assertThat(client.post(batch(roots, roots)).body()).contains("TOO_MANY_ROOT_FIELDS");
    }
    try (var client =
        client(ShopData.engine(), 100, GraphQlLimits.builder().maxAliases(4).build())) {
      assertThat(client.post(batch(roots, roots)).body()).contains("TOO_MANY_ALIASES");
    }
  }
}
