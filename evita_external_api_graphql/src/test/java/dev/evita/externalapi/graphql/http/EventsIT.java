// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.H2Shop;
import dev.evita.externalapi.graphql.InterceptedEngine;
import dev.evita.externalapi.graphql.LiveServer;
import dev.evita.externalapi.graphql.SubscriptionOptions;
import dev.evita.testsupport.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** GraphQL over server-sent events (graphql-sse, PROTOCOL.md, distinct connections mode). */
@Timeout(120)
final class EventsIT {

  private static final String EVENTS = "text/event-stream";
  private static final String STOCK = "subscription { products_by_pk(id: 1) { stock } }";

  private static HttpResponse<java.io.InputStream> send(HttpRequest.Builder request)
      throws Exception {
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  private static HttpRequest.Builder post(LiveServer live, String document) {
    return HttpRequest.newBuilder(live.endpoint())
        .header("Accept", EVENTS)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"query\":" + Client.quoted(document) + "}"));
  }

  private static HttpRequest.Builder get(LiveServer live, String document) {
    var query = URLEncoder.encode(document, StandardCharsets.UTF_8);
    return HttpRequest.newBuilder(URI.create(live.endpoint() + "?query=" + query))
        .header("Accept", EVENTS);
  }

  private static BufferedReader events(HttpRequest.Builder request) throws Exception {
    var answer = send(request);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue(EVENTS + "; charset=utf-8");
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  /** One event, its lines divided by bars; heartbeats are skipped. Null at the end. */
  private static @Nullable String event(BufferedReader reader) throws IOException {
    var event = new StringBuilder();
    for (var line = reader.readLine(); line != null; line = reader.readLine()) {
      if (line.isEmpty() && !event.isEmpty()) {
        return event.toString();
      }
      if (!line.startsWith(":") && !line.isEmpty()) {
        event.append(line.startsWith("id: ") ? "id" : line).append('|');
      }
    }
    return null;
  }

  private static String id(BufferedReader reader) throws IOException {
    var id = "";
    for (var line = reader.readLine(); id.isEmpty() || !line.isEmpty(); line = reader.readLine()) {
      id = line.startsWith("id: ") ? line.substring(4) : id;
    }
    return id;
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void query_isOneEventAndTheEnd(HttpClient.Version version) throws Exception {
    try (var live = new LiveServer();
        var reader = events(post(live, "{ products_by_pk(id: 1) { name } }").version(version))) {
      assertThat(event(reader))
          .isEqualTo("event: next|data: {\"data\":{\"products_by_pk\":{\"name\":\"Lamp\"}}}|");
      assertThat(event(reader)).isEqualTo("event: complete|data: |");
      assertThat(event(reader)).isNull();
      live.awaitNothingLeft();
    }
  }

  @Test
  void get_isSupportedToo() throws Exception {
    try (var live = new LiveServer();
        var reader = events(get(live, STOCK))) {
      assertThat(event(reader)).contains("\"stock\":5");
    }
  }

  @Test
  void get_ofAMutation_isRejected() throws Exception {
    try (var live = new LiveServer()) {
      try (var reader =
          events(get(live, "mutation { delete_products(where: {}) { affected_rows } }"))) {
        assertThat(event(reader))
            .startsWith("event: next|data: {\"errors\":")
            .contains("METHOD_NOT_ALLOWED");
        assertThat(event(reader)).isEqualTo("event: complete|data: |");
      }
      try (var reader = events(get(live, "{ products { id } }"))) {
        assertThat(event(reader)).contains("[{\"id\":1},{\"id\":2}]");
      }
    }
  }

  @Test
  void get_duringSchemaChange_isRetried() throws Exception {
    var changes = new AtomicInteger(3);
    var engine =
        new InterceptedEngine(
            H2Shop.open(LiveServer.SHOP),
            (operation, sink) -> {
              if (changes.getAndDecrement() <= 0) {
                return false;
              }
              sink.failed(new EvitaException(ErrorCode.CATALOG_CHANGED, "changed on demand"));
              return true;
            });
    try (var live = new LiveServer(engine, SubscriptionOptions.DEFAULT, all -> all);
        var reader = events(get(live, "{ products_by_pk(id: 1) { name } }"))) {
      assertThat(event(reader)).contains("\"name\":\"Lamp\"");
      assertThat(event(reader)).isEqualTo("event: complete|data: |");
      assertThat(changes).hasValue(-1);
    }
  }

  @Test
  void document_thatIsWrong_isAnEventWithErrors() throws Exception {
    try (var live = new LiveServer();
        var reader = events(post(live, "subscription { nowhere }"))) {
      assertThat(event(reader)).startsWith("event: next|data: {\"errors\":[{\"message\":");
      assertThat(event(reader)).isEqualTo("event: complete|data: |");
      assertThat(event(reader)).isNull();
    }
  }

  @Test
  void request_thatIsMalformed_is400() throws Exception {
    try (var live = new LiveServer()) {
      var request =
          HttpRequest.newBuilder(live.endpoint())
              .header("Accept", EVENTS)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString("{"));
      assertThat(send(request).statusCode()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void liveQuery_sendsChanges_andIsRemovedWithItsClient(HttpClient.Version version)
      throws Exception {
    try (var live = new LiveServer()) {
      try (var reader = events(post(live, STOCK).version(version))) {
        assertThat(event(reader)).startsWith("event: next|id|data: ").contains("\"stock\":5");
        live.script("update products set stock = 6 where id = 1");
        assertThat(event(reader)).contains("\"stock\":6");
      }
      live.awaitNothingLeft();
    }
  }

  @Test
  void liveQuery_reconnected_doesNotResendTheSameResult() throws Exception {
    try (var live = new LiveServer()) {
      String id;
      try (var reader = events(post(live, STOCK))) {
        id = id(reader);
      }
      try (var reader = events(post(live, STOCK).header("Last-Event-ID", id))) {
        live.script("update products set stock = 7 where id = 1");
        assertThat(event(reader)).contains("\"stock\":7");
      }
      try (var reader = events(post(live, STOCK).header("Last-Event-ID", id))) {
        assertThat(event(reader)).contains("\"stock\":7");
      }
    }
  }

  @Test
  void stream_reconnected_resumesAfterItsPosition() throws Exception {
    var stream =
        "subscription { events_stream(batch_size: 2, cursor: {initial_value: {at: 0}}) { id } }";
    try (var live = new LiveServer()) {
      live.script("insert into events select x, 100, 'e' from system_range(1, 4)");
      String id;
      try (var reader = events(post(live, stream))) {
        id = id(reader);
      }
      try (var reader = events(post(live, stream).header("Last-Event-ID", id))) {
        assertThat(event(reader)).contains("[{\"id\":3},{\"id\":4}]");
      }
    }
  }

  @Test
  void shutdown_endsTheStreamWithoutComplete() throws Exception {
    var live = new LiveServer();
    try (var reader = events(post(live, STOCK))) {
      event(reader);
      live.close();
      assertThat(event(reader)).isNull();
    }
  }

  @Test
  void liveQuery_onPostgres_detectsChangesByPolling() throws Exception {
    var engine = JdbcEngine.open(PostgresServer.start().createDatabase());
    try (var live =
        new LiveServer(
            engine, SubscriptionOptions.DEFAULT, all -> all.pollInterval(Duration.ofMillis(50)))) {
      live.script(LiveServer.SHOP);
      live.server.refresh();
      try (var reader = events(post(live, STOCK))) {
        assertThat(event(reader)).contains("\"stock\":5");
        live.script("update products set stock = 6 where id = 1");
        assertThat(event(reader)).contains("\"stock\":6");
      }
      live.awaitNothingLeft();
    }
  }
}
