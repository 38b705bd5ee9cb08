// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.api.Parameter;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.TableName;
import dev.evita.api.Update;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.H2Shop;
import dev.evita.externalapi.graphql.ShopData;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to GET queries, which clients may cache until the tables change. */
final class EntityTagsIT {

  private static final String BRANDS = "{ brands { id name } }";

  private static Client.Answer get(Client client, String query, String... header) {
    return send(client, "GET", query, header);
  }

  private static Client.Answer send(Client client, String method, String query, String... header) {
    var target = "/graphql?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
    var headers = header.length == 0 ? Map.<String, String>of() : Map.of(header[0], header[1]);
    return client.send(method, target, headers, "");
  }

  private static String tag(Client.Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    var tag = String.valueOf(answer.header("ETag"));
    assertThat(tag).matches("W/\"[0-9a-f]{32}\"");
    return tag;
  }

  private static JdbcEngine shop() {
    return H2Shop.open(ShopData.engine());
  }

  private static void rename(Engine engine, String table, String name) {
    var set = new Update.Change.Assign("NAME", new Parameter(0));
    write(engine, new Update(table(engine, table), List.of(set), null, List.of()), name);
  }

  private static TableName table(Engine engine, String name) {
    return engine.catalog().tables().stream()
        .map(table -> table.name())
        .filter(table -> table.table().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow();
  }

  private static void write(Engine engine, Update update, Object value) {
    var done = new CompletableFuture<Long>();
    var sink =
        new RowSink() {
          @Override
          public Demand row(Row row) {
            return Demand.MORE;
          }

          @Override
          public void completed(long affected) {
            done.complete(affected);
          }

          @Override
          public void failed(EvitaException failure) {
            done.completeExceptionally(failure);
          }
        };
    engine.prepare(update).run(Arguments.of(value), null, sink);
    assertThat(done.join()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Client.Way.class)
  void response_ofUnchangedTables_is304(Client.Way way) {
    try (var engine = shop();
        var client = new Client(engine, way)) {
      var first = get(client, BRANDS);
      var tag = tag(first);
      assertThat(first.header("Cache-Control")).isEqualTo("no-cache");
      assertThat(first.header("Vary")).isEqualTo("Accept");

      var again = get(client, BRANDS, "If-None-Match", tag);
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.header("ETag")).isEqualTo(tag);
      assertThat(again.header("Cache-Control")).isEqualTo("no-cache");
      assertThat(again.header("Vary")).isEqualTo("Accept");
      assertThat(again.header("Content-Length")).isNull();

      rename(engine, "products", "Another");
      assertThat(get(client, BRANDS, "If-None-Match", tag).status()).isEqualTo(304);

      rename(engine, "brands", "Changed");
      var changed = get(client, BRANDS, "If-None-Match", tag);
      assertThat(tag(changed)).isNotEqualTo(tag);
      assertThat(changed.body()).contains("\"name\":\"Changed\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TAG", "W/TAG", "\"a\", W/\"b\" ,W/TAG", "\"a\",TAG,\"b\"", "*", " * "})
  void ifNoneMatch_thatNamesTheTag_is304(String header) {
    try (var engine = shop();
        var client = new Client(engine)) {
      var strong = tag(get(client, BRANDS)).substring(2);
      var named = header.replace("TAG", strong);
      assertThat(get(client, BRANDS, "If-None-Match", named).status()).isEqualTo(304);
      assertThat(send(client, "HEAD", BRANDS, "If-None-Match", named).status()).isEqualTo(304);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "\"x\"", "W/\"0123456789abcdef0123456789abcdef\"", "\"*\""})
  void ifNoneMatch_ofOtherTags_returnsTheResult(String header) {
    try (var engine = shop();
        var client = new Client(engine)) {
      assertThat(get(client, BRANDS, "If-None-Match", header).body()).contains("brands");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ products { prices { amount } } }",
        "{ products(where: {prices: {amount: {_gt: 1}}}) { id } }",
        "{ products(order_by: {prices_aggregate: {count: asc}}) { id } }",
        "{ products_aggregate { aggregate { count } nodes { prices { amount } } } }",
        "{ brands { products_aggregate(where: {prices: {}}) { aggregate { count } } } }",
      })
  void tag_changesWithEachTableThatIsRead(String query) {
    try (var engine = shop();
        var client = new Client(engine)) {
      var tag = tag(get(client, query));
      var set = new Update.Change.Assign("AMOUNT", new Parameter(0));
      var amounts = new Update(table(engine, "prices"), List.of(set), null, List.of());
      write(engine, amounts, java.math.BigDecimal.ONE);
      assertThat(tag(get(client, query, "If-None-Match", tag))).isNotEqualTo(tag);
    }
  }

  @Test
  void tag_isThatOfDocumentVariablesAndMediaType() {
    try (var engine = shop();
        var client = new Client(engine)) {
      var tags =
          List.of(
              tag(get(client, BRANDS)),
              tag(get(client, BRANDS + " ")),
              tag(get(client, BRANDS, "Accept", "application/graphql-response+json")));
      assertThat(tags).doesNotHaveDuplicates();
      assertThat(tag(get(client, BRANDS))).isEqualTo(tags.getFirst());
    }
    try (var engine = shop();
        var client = new Client(engine)) {
      var query = "/graphql?query=query%28%24n%3AInt%29%7Bbrands%28limit%3A%24n%29%7Bid%7D%7D";
      assertThat(tag(client.send("GET", query + "&variables=%7B%22n%22:1%7D", Map.of(), "")))
          .isNotEqualTo(
              tag(client.send("GET", query + "&variables=%7B%22n%22:2%7D", Map.of(), "")));
    }
  }

  @Test
  void tag_engineWithoutCommitNotifications_isAbsent() {
    try (var client = new Client(ShopData.engine())) {
      var answer = get(client, BRANDS, "If-None-Match", "*");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("ETag")).isNull();
      assertThat(answer.header("Cache-Control")).isEqualTo("no-cache");
    }
    var off = GraphQlOptions.builder().etags(false).build();
    try (var engine = shop();
        var client = new Client(engine, Client.Way.IN_PROCESS, Limits.DEFAULT, off)) {
      assertThat(get(client, BRANDS).header("ETag")).isNull();
    }
    try (var engine = H2Shop.open("create view clock as select current_timestamp now;");
        var client = new Client(engine)) {
      assertThat(get(client, "{ clock { now } }").header("ETag")).isNull();
    }
  }

  @Test
  void tag_isNotGivenToPosts() {
    try (var engine = shop();
        var client = new Client(engine)) {
      var answer = client.post("{\"query\": " + Client.quoted(BRANDS) + "}");
      assertThat(answer.header("ETag")).isNull();
      assertThat(answer.header("Cache-Control")).isNull();
    }
  }

  @Test
  void response_withErrors_isNotCacheable() {
    var limits = Limits.builder().maxRows(2).build();
    try (var engine = shop();
        var client = new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT)) {
      var answer = get(client, BRANDS);
      assertThat(answer.body()).contains("TOO_MANY_ROWS");
      assertThat(answer.header("ETag")).isNull();
      assertThat(answer.header("Cache-Control")).isEqualTo("no-cache");
    }
  }

  @Test
  void response_withErrorsAfterItsTagWasSent_isNotConfirmed() {
    var limits = Limits.builder().maxRows(20_000).build();
    var script =
        """
        create table numbers (n int primary key);
        insert into numbers select x from system_range(1, 30000);
        """;
    try (var engine = H2Shop.open(script);
        var client = new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT)) {
      var first = get(client, "{ numbers { n } }");
      assertThat(first.body()).contains("TOO_MANY_ROWS");
      assertThat(get(client, "{ numbers { n } }", "If-None-Match", tag(first)).status())
          .isEqualTo(200);
    }
  }

  @Test
  void maxAge_isReported() {
    var options = GraphQlOptions.builder().etagMaxAge(Duration.ofMinutes(1)).build();
    try (var engine = shop();
        var client = new Client(engine, Client.Way.IN_PROCESS, Limits.DEFAULT, options)) {
      assertThat(get(client, BRANDS).header("Cache-Control")).isEqualTo("private, max-age=60");
      assertThat(get(client, "{ nowhere }").header("Cache-Control")).isEqualTo("no-cache");
    }
  }

  /** Writes that bypass the engine change the tag as well, after a delay. */
  @Test
  void tag_ofATableWrittenByOthers_changes() throws SQLException {
    var url = "jdbc:h2:mem:" + UUID.randomUUID();
    try (var own = DriverManager.getConnection(url);
        var statement = own.createStatement()) {
      statement.execute("create table brands (id int primary key, name varchar)");
      statement.execute("insert into brands values (1, 'One')");
      try (var engine = JdbcEngine.open(url);
          var client = new Client(engine)) {
        var tag = tag(get(client, BRANDS));
        statement.execute("update brands set name = 'Other'");
        Client.Answer answer;
        do {
          answer = get(client, BRANDS, "If-None-Match", tag);
        } while (answer.status() == 304);
        assertThat(answer.body()).contains("Other");
      }
    }
  }

  /** After a write has completed, no earlier response is confirmed. */
  @Test
  void confirmedResponse_isNeverOlderThanACompletedWrite() throws InterruptedException {
    var writes = 300;
    try (var engine =
            H2Shop.open(
                "create table counters (id int primary key, name int); insert into counters values (1, 0);");
        var client = new Client(engine)) {
      var finished = new AtomicInteger();
      var writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 1; i <= writes; i++) {
                  var set = new Update.Change.Assign("NAME", new Parameter(0));
                  var table = table(engine, "counters");
                  write(engine, new Update(table, List.of(set), null, List.of()), (long) i);
                  finished.set(i);
                }
              });
      var tag = "";
      var kept = 0;
      while (kept < writes) {
        var least = finished.get();
        var answer = get(client, "{ counters { name } }", "If-None-Match", tag);
        if (answer.status() == 200) {
          tag = tag(answer);
          kept = Integer.parseInt(answer.body().replaceAll("\\D", ""));
        }
        assertThat(kept).isGreaterThanOrEqualTo(least);
      }
      writer.join();
    }
  }
}
