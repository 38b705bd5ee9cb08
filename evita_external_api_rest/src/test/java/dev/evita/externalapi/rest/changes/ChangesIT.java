// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.live.FeedOptions;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpClient;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Row changes as server-sent events. */
@Timeout(120)
final class ChangesIT {

  private static final String BRANDS = "/brands?select=id,name";

  private static ServerOptions.Builder options() {
    return ServerOptions.builder().pollInterval(Duration.ofMillis(50)).drain(Duration.ofSeconds(5));
  }

  private static RestServer shop(String kind) {
    return RestServer.over(kind, RestServer.SHOP, options().build());
  }

  private static RestServer shop(FeedOptions feeds) {
    return RestServer.over("h2", RestServer.SHOP, options().feeds(feeds).build());
  }

  private static FeedOptions feeds(int maxFeeds, int maxBytes, int changes, Duration linger) {
    return FeedOptions.builder()
        .maxFeeds(maxFeeds)
        .maxFeedBytes(maxBytes)
        .feedLogChanges(changes)
        .feedLogBytes(1 << 20)
        .feedLinger(linger)
        .build();
  }

  private static void execute(RestServer server, String... statements) {
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      for (var sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads up to the last event and returns its position. */
  private static String ready(EventReader reader) {
    var event = reader.next();
    while (!event.name().equals("ready")) {
      event = reader.next();
    }
    return event.id();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void rows_comeFirst_thenTheirChanges(String kind) {
    try (var rest = shop(kind);
        var reader = EventReader.open(rest, BRANDS + "&order=id")) {
      assertThat(reader.told()).isEqualTo("reset {\"reason\":\"start\"}");
      for (var name : new String[] {"1,\"name\":\"Acme\"", "2,\"name\":\"Borg\""}) {
        assertThat(reader.told()).startsWith("insert ").endsWith("\"row\":{\"id\":" + name + "}}");
      }
      assertThat(reader.told())
          .isEqualTo("insert {\"key\":{\"id\":3},\"row\":{\"id\":3,\"name\":\"Zeta\"}}");
      assertThat(reader.told()).isEqualTo("ready {}");

      rest.send("DELETE", "/trips?id=gt.0");
      rest.send("DELETE", "/brands?id=eq.3");
      assertThat(reader.told()).isEqualTo("delete {\"key\":{\"id\":3}}");
      execute(rest, "insert into brands values (4, 'Dyad', 1999)");
      assertThat(reader.told())
          .isEqualTo("insert {\"key\":{\"id\":4},\"row\":{\"id\":4,\"name\":\"Dyad\"}}");
      execute(rest, "update brands set founded = 2000 where id = 4"); // is not selected
      execute(rest, "update brands set name = 'Dy' where id = 4");
      assertThat(reader.told())
          .isEqualTo("update {\"key\":{\"id\":4},\"row\":{\"id\":4,\"name\":\"Dy\"}}");
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void response_isAnEventStream(HttpClient.Version version) {
    try (var rest = shop("h2");
        var reader = EventReader.open(version, rest, BRANDS)) {
      assertThat(reader.answer().headers().firstValue("Content-Type"))
          .hasValue("text/event-stream; charset=utf-8");
      ready(reader);
      execute(rest, "update brands set name = 'B' where id = 2");
      assertThat(reader.told()).startsWith("update {\"key\":{\"id\":2}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json, text/event-stream;q=0.5 | application/json",
        "application/json;q=0.5, text/event-stream | text/event-stream",
        "text/event-stream, */* | application/json",
      })
  void accept_decidesByQuality(String accept, String chosen) throws Exception {
    try (var rest = shop("h2");
        var http = HttpClient.newHttpClient()) {
      var request =
          java.net.http.HttpRequest.newBuilder(rest.uri("/brands")).header("Accept", accept);
      var answer =
          http.send(request.build(), java.net.http.HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith(chosen);
      answer.body().close();
      http.shutdownNow();
    }
  }

  @Test
  void filter_determinesInsertedAndDeletedEvents() {
    try (var rest = shop("h2");
        var reader = EventReader.open(rest, "/products?select=name&stock=gt.4&order=id")) {
      assertThat(reader.told()).startsWith("reset");
      assertThat(reader.told()).endsWith("\"row\":{\"name\":\"Anvil\"}}");
      assertThat(reader.told()).endsWith("\"row\":{\"name\":\"Rope\"}}");
      assertThat(reader.told()).startsWith("ready");
      execute(rest, "update products set stock = 7 where id = 3");
      assertThat(reader.told())
          .isEqualTo("insert {\"key\":{\"id\":3},\"row\":{\"name\":\"Cube\"}}");
      execute(rest, "update products set stock = 4 where id = 1");
      assertThat(reader.told()).isEqualTo("delete {\"key\":{\"id\":1}}");
    }
  }

  @Test
  void embeddedRows_countAsTheirParents() {
    try (var rest = shop("h2");
        var reader =
            EventReader.open(
                rest, "/products?select=id,brand(name),prices(amount)&id=eq.2&brand.name=neq.X")) {
      ready(reader);
      execute(rest, "update brands set name = 'Ac' where id = 1");
      assertThat(reader.told()).startsWith("update").contains("\"brand\":{\"name\":\"Ac\"}");
      execute(rest, "insert into prices values (2, 'USD', 1), (3, 'USD', 1)");
      assertThat(reader.told()).startsWith("update").contains("{\"amount\":1.00}");
    }
  }

  @Test
  void key_ofSeveralColumns_isReported() {
    try (var rest = shop("h2");
        var reader = EventReader.open(rest, "/prices?select=amount&currency=eq.USD")) {
      assertThat(reader.told()).startsWith("reset");
      assertThat(reader.told())
          .isEqualTo(
              "insert {\"key\":{\"product_id\":1,\"currency\":\"USD\"},\"row\":{\"amount\":105.00}}");
    }
  }

  @Test
  void window_movesWithItsRows() {
    try (var rest = shop("h2");
        var reader = EventReader.open(rest, BRANDS + "&order=id.desc&limit=1")) {
      assertThat(reader.told()).startsWith("reset");
      assertThat(reader.told()).contains("Zeta");
      assertThat(reader.told()).startsWith("ready");
      execute(rest, "insert into brands values (9, 'Nine', null)");
      assertThat(reader.told()).isEqualTo("delete {\"key\":{\"id\":3}}");
      assertThat(reader.told()).startsWith("insert").contains("Nine");
    }
  }

  @Test
  void snapshot_notRequested_isOmitted() {
    try (var rest = shop("h2");
        var reader = EventReader.open(rest, BRANDS, "Prefer", "snapshot=none")) {
      assertThat(reader.answer().headers().firstValue("Preference-Applied"))
          .hasValue("snapshot=none");
      assertThat(reader.told()).startsWith("ready");
      execute(rest, "update brands set name = 'B' where id = 2");
      assertThat(reader.told()).startsWith("update");
    }
  }

  @Test
  void client_reconnected_getsMissedEvents() {
    try (var rest = shop("h2")) {
      String id;
      try (var reader = EventReader.open(rest, BRANDS)) {
        ready(reader);
        execute(rest, "update brands set name = 'B' where id = 2");
        id = reader.next().id();
      }
      execute(rest, "update brands set name = 'C' where id = 2");
      execute(rest, "insert into brands values (4, 'Dyad', 1999)");
      try (var reader = EventReader.open(rest, BRANDS, "Last-Event-ID", id)) {
        assertThat(reader.told()).contains("\"name\":\"C\"");
        assertThat(reader.told()).startsWith("insert").contains("Dyad");
        assertThat(reader.told()).startsWith("ready");
      }
      try (var reader = EventReader.open(rest, BRANDS, "Last-Event-ID", id)) {
        assertThat(reader.told()).contains("\"name\":\"C\"");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc-1", "-", "nonsense", "0-99999999999999999999"})
  void client_unknownPosition_restarts(String id) {
    try (var rest = shop("h2")) {
      try (var reader = EventReader.open(rest, BRANDS, "Last-Event-ID", id)) {
        assertThat(reader.told()).isEqualTo("reset {\"reason\":\"unknown\"}");
        assertThat(reader.told()).startsWith("insert");
      }
      try (var reader =
          EventReader.open(rest, BRANDS, "Last-Event-ID", id, "Prefer", "snapshot=none")) {
        assertThat(reader.told()).isEqualTo("reset {\"reason\":\"unknown\"}");
        assertThat(reader.told()).isEqualTo("ready {}");
      }
    }
  }

  @Test
  void client_reconnectedTooLate_restarts() {
    try (var rest = shop(feeds(10, 1 << 20, 2, Duration.ofMinutes(1)))) {
      String id;
      try (var reader = EventReader.open(rest, BRANDS)) {
        id = ready(reader);
      }
      execute(rest, "update brands set name = name || '!'"); // three rows, of which two are kept
      try (var reader = EventReader.open(rest, BRANDS, "Last-Event-ID", id)) {
        assertThat(reader.told()).isEqualTo("reset {\"reason\":\"unknown\"}");
        assertThat(reader.told()).contains("Acme!");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void feed_withoutRetention_isRemovedWithItsLastClient(HttpClient.Version version) {
    try (var rest = shop(feeds(1, 1 << 20, 100, Duration.ZERO))) {
      String id;
      try (var reader = EventReader.open(version, rest, BRANDS)) {
        id = ready(reader);
      }
      try (var reader = untilThereIsPlace(rest, "/trips")) {
        ready(reader);
      }
      try (var reader = untilThereIsPlace(rest, BRANDS, "Last-Event-ID", id)) {
        assertThat(reader.told()).isEqualTo("reset {\"reason\":\"unknown\"}");
      }
    }
  }

  @Test
  void feed_withoutReconnect_isRemoved() {
    try (var rest = shop(feeds(1, 1 << 20, 100, Duration.ofMillis(1)))) {
      String id;
      try (var reader = EventReader.open(rest, BRANDS)) {
        id = ready(reader);
      }
      var event = "";
      while (!event.equals("reset {\"reason\":\"unknown\"}")) {
        try (var reader = EventReader.open(rest, BRANDS, "Last-Event-ID", id)) {
          event = reader.told(); // or "ready", as long as the feed is there
        }
      }
    }
  }

  /** The server notices soon that a client has left, but not at once. */
  private static EventReader untilThereIsPlace(RestServer rest, String target, String... headers) {
    while (true) {
      try {
        return EventReader.open(rest, target, headers);
      } catch (AssertionError e) {
        assertThat(e).hasMessageContaining("max-feeds");
      }
    }
  }

  @Test
  void feeds_moreThanAllowed_areRejected() {
    try (var rest = shop(feeds(1, 1 << 20, 100, Duration.ofMinutes(1)));
        var first = EventReader.open(rest, BRANDS);
        var second = EventReader.open(rest, BRANDS)) {
      ready(first);
      ready(second); // shares the feed
      var answer = rest.send("GET", "/trips", "Accept", "text/event-stream");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("TOO_MANY_SUBSCRIPTIONS", "max-feeds");
    }
  }

  @Test
  void rows_moreThanMayBeWatched_areRejectedBeforeTheStream() {
    var limits = Limits.builder().maxRows(2).build();
    try (var rest = RestServer.over("h2", RestServer.SHOP, options().limits(limits).build())) {
      var answer = rest.send("GET", "/brands", "Accept", "text/event-stream");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("TOO_MANY_ROWS", "max-rows");
    }
    try (var rest = shop(feeds(10, 20, 100, Duration.ZERO))) {
      var answer = rest.send("GET", "/brands", "Accept", "text/event-stream");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("ANSWER_TOO_LARGE", "max-feed-bytes");
    }
  }

  @Test
  void rows_thatBecomeTooMany_endTheStreamWithTheProblem() {
    try (var rest = shop(feeds(10, 150, 100, Duration.ofMinutes(1)));
        var reader = EventReader.open(rest, BRANDS)) {
      var id = ready(reader);
      execute(rest, "insert into brands values (4, '" + "x".repeat(50) + "', 1)");
      assertThat(reader.told()).startsWith("problem {").contains("max-feed-bytes");
      assertThat(EventReader.isEnd(reader.next())).isTrue();
      execute(rest, "update brands set name = 'Dyad' where id = 4");
      try (var again = EventReader.open(rest, BRANDS, "Last-Event-ID", id)) {
        assertThat(again.told()).startsWith("insert").contains("Dyad");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/nowhere | 404 | PGRST205",
        "/brands?select=nope | 400 | 42703",
        "/brands?id=eq.x | 400 | 22P02",
        "/brands?select=count() | 400 | 0A000",
        "/brands?id=what.1 | 400 | PGRST100",
        "/keyless | 400 | has no primary key",
        "/stocked | 400 | has no primary key",
      })
  void unsupportedWatchRequest_isRejected(String target, int status, String reason) {
    var script =
        RestServer.SHOP
            + """
            create table keyless (id int);
            create view stocked as select id from products;
            """;
    try (var rest = RestServer.over("h2", script, options().build())) {
      var answer = rest.send("GET", target, "Accept", "text/event-stream");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
      assertThat(answer.body()).contains(reason);
    }
  }

  @Test
  void json_thatIsStoredInLines_staysOneEvent() {
    var script = "create table notes (id int primary key, note json);\n";
    try (var rest = RestServer.over("postgresql", script, options().build());
        var reader = EventReader.open(rest, "/notes")) {
      ready(reader);
      execute(rest, "insert into notes values (1, '{\n\"a\":\r\n1}')");
      assertThat(reader.told()).startsWith("insert").endsWith("{ \"a\":  1}}}");
    }
  }

  @Test
  void schemaChange_streamContinues() {
    try (var rest = shop("h2");
        var reader = EventReader.open(rest, "/brands?id=eq.1")) {
      ready(reader);
      execute(rest, "alter table brands add column city varchar(20) default 'Ulm'");
      rest.refresh();
      assertThat(reader.told()).startsWith("update").contains("\"city\":\"Ulm\"");
      execute(rest, "alter table brands drop column founded");
      rest.refresh();
      assertThat(reader.told()).startsWith("update").doesNotContain("founded");
    }
  }

  @Test
  void schema_thatLacksTheColumn_endsTheStreamWithTheProblem() {
    try (var rest = shop("h2");
        var reader = EventReader.open(rest, "/brands?select=founded")) {
      ready(reader);
      execute(rest, "alter table brands drop column founded");
      rest.refresh();
      assertThat(reader.told()).startsWith("problem {").contains("42703");
      assertThat(EventReader.isEnd(reader.next())).isTrue();
    }
  }

  @Test
  void shutdown_endsTheStream() {
    var rest = shop("h2");
    try (var reader = EventReader.open(rest, BRANDS)) {
      ready(reader);
      rest.close();
      assertThat(EventReader.isEnd(reader.next())).isTrue();
    }
  }
}
