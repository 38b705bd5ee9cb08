// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.testsupport.NodeProject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The clients of the npm packages {@code graphql-ws} and {@code graphql-sse} against the server.
 */
@Tag("tools")
@Timeout(180)
final class ClientsIT {

  private static final String STOCK = "subscription { products_by_pk(id: 1) { stock } }";

  private static NodeProject project;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    project = NodeProject.install("live-clients", "the clients of graphql-ws and graphql-sse");
  }

  private static String change(int stock) {
    return "mutation { update_products_by_pk(pk_columns: {id: 1}, _set: {stock: %d}) { stock } }"
        .formatted(stock);
  }

  private static String next(String id, String data) {
    return "{\"next\":\"" + id + "\",\"result\":{\"data\":" + data + "}}";
  }

  private static String stock(String id, int stock) {
    return next(id, "{\"products_by_pk\":{\"stock\":" + stock + "}}");
  }

  private static String changed(String id, int stock) {
    return next(id, "{\"update_products_by_pk\":{\"stock\":" + stock + "}}");
  }

  private static String complete(String id) {
    return "{\"complete\":\"" + id + "\"}";
  }

  /** Returns the next messages; operations do not wait for each other. */
  private static List<String> next(NodeClient client, int count) throws InterruptedException {
    var told = new String[count];
    for (int i = 0; i < count; i++) {
      told[i] = client.next();
    }
    return List.of(told);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ws", "sse"})
  void subscription_getsMutations_untilDisposed(String protocol) throws Exception {
    try (var live = new LiveServer();
        var client = new NodeClient(project, protocol, live, "{}")) {
      client.subscribe("live", STOCK);
      assertThat(client.next()).isEqualTo(stock("live", 5));
      client.subscribe("change", change(6));
      assertThat(next(client, 3))
          .containsExactlyInAnyOrder(changed("change", 6), complete("change"), stock("live", 6));
      live.script("update products set stock = 7 where id = 1"); // by somebody else
      assertThat(client.next()).isEqualTo(stock("live", 7));

      client.dispose("live");
      assertThat(client.next()).isEqualTo(complete("live"));
      while (live.subscriptions() + live.interests() > 0) {
        Thread.onSpinWait();
      }
      client.subscribe("again", change(8));
      assertThat(next(client, 2)).containsExactly(changed("again", 8), complete("again"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ws", "sse"})
  void query_returnsOneResult(String protocol) throws Exception {
    try (var live = new LiveServer();
        var client = new NodeClient(project, protocol, live, "{}")) {
      client.subscribe("a", "{ products_by_pk(id: 1) { stock } }");
      assertThat(next(client, 2)).containsExactly(stock("a", 5), complete("a"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ws", "sse"})
  void client_killed_releasesResources(String protocol) throws Exception {
    try (var live = new LiveServer()) {
      try (var client = new NodeClient(project, protocol, live, "{}")) {
        client.subscribe("a", STOCK);
        assertThat(client.next()).isEqualTo(stock("a", 5));
      }
      live.awaitNothingLeft();
    }
  }

  @Test
  void socket_invalidDocument_reportsTheErrorAndContinues() throws Exception {
    try (var live = new LiveServer();
        var client = new NodeClient(project, "ws", live, "{}")) {
      client.subscribe("a", "subscription { nowhere }");
      assertThat(client.next())
          .startsWith("{\"error\":\"a\",\"reason\":[{\"message\":")
          .contains("nowhere", "\"line\":1", "INVALID_DOCUMENT");
      client.subscribe("a", STOCK);
      assertThat(client.next()).isEqualTo(stock("a", 5));
    }
  }

  @Test
  void events_ofAnInvalidDocument_reportTheErrorAndEnd() throws Exception {
    try (var live = new LiveServer();
        var client = new NodeClient(project, "sse", live, "{}")) {
      client.subscribe("a", "subscription { nowhere }");
      assertThat(client.next())
          .startsWith("{\"next\":\"a\",\"result\":{\"errors\":[{\"message\":")
          .contains("nowhere", "\"line\":1", "INVALID_DOCUMENT");
      assertThat(client.next()).isEqualTo(complete("a"));
    }
  }

  /** As the client itself makes no mistake, its socket makes some. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "4400 | {'connection_init': [{'type': 'hello'}]}",
        "4400 | {'subscribe': [{'type': 'subscribe', 'id': 'a'}]}",
        "4401 | {'connection_init': [{'type': 'subscribe', 'id': 'a', 'payload': {'query': '{__typename}'}}]}",
        "4408 | {'connection_init': []}",
        "4409 | {'subscribe': [{'type': 'subscribe', 'id': 'a', 'payload': {'query': 'QUERY'}},"
            + " {'type': 'subscribe', 'id': 'a', 'payload': {'query': 'QUERY'}}]}",
        "4429 | {'connection_init': [{'type': 'connection_init'}, {'type': 'connection_init'}]}",
      })
  void socket_protocolViolation_closesWithTheCode(int code, String instead) throws Exception {
    var options =
        SubscriptionOptions.builder()
            .maxSubscriptions(10)
            .connectionInitTimeout(Duration.ofMillis(500))
            .build();
    try (var live = new LiveServer(H2Shop.open(LiveServer.SHOP), options, all -> all);
        var client =
            new NodeClient(
                project, "ws", live, instead.replace('\'', '"').replace("QUERY", STOCK))) {
      client.subscribe("a", STOCK);
      assertThat(client.closed()).isEqualTo("{\"closed\":" + code + "}");
      live.awaitNothingLeft();
    }
  }

  @Test
  void socket_engineFailure_closes4500() throws Exception {
    var engine = InterceptedEngine.failingAtCancel(H2Shop.open(LiveServer.SHOP));
    try (var live = new LiveServer(engine, SubscriptionOptions.DEFAULT, all -> all);
        var client = new NodeClient(project, "ws", live, "{}")) {
      client.subscribe("a", STOCK);
      engine.awaitRun();
      client.dispose("a");
      assertThat(client.closed()).isEqualTo("{\"closed\":4500}");
      live.awaitNothingLeft();
    }
  }

  @Test
  void socket_ping_getsPong() throws Exception {
    try (var live = new LiveServer();
        var client = new NodeClient(project, "ws", live, "{}")) {
      client.subscribe("a", STOCK);
      assertThat(client.next()).isEqualTo(stock("a", 5));
      client.awaitPong();
    }
  }
}
