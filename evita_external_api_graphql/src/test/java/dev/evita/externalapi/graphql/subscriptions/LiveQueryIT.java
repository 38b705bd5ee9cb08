// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import dev.evita.api.Update;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.externalapi.graphql.LiveClient;
import dev.evita.externalapi.graphql.LiveServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results sent after commits, and the number of executions. */
@Timeout(120)
final class LiveQueryIT {

  /** As a write through the engine, which touches its table alone. */
  private static void stock(LiveServer live, int product, int stock) {
    update(live, "PRODUCTS", "STOCK", product, stock);
  }

  private static void update(LiveServer live, String table, String column, int id, Object value) {
    var driver = new EngineDriver(live.engine);
    var update =
        new Update(
            driver.table(table),
            List.of(new Update.Change.Assign(column, new Parameter(0))),
            new Filter.Compare("ID", Comparison.EQUAL, new Parameter(1)),
            List.of());
    var sink = driver.run(update, Arguments.of(value, id), null);
    if (sink.failure() != null) {
      throw new AssertionError(sink.failure());
    }
  }

  private static String next(String id, String data) {
    return "{\"id\":\"" + id + "\",\"type\":\"next\",\"payload\":{\"data\":" + data + "}}";
  }

  @Test
  void commit_toAReadTable_sendsTheResultIfItDiffers() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe(
          "a", "subscription { products(order_by: {id: asc}) { id stock brand { name } } }");
      client.next();
      stock(live, 1, 6);
      assertThat(client.next()).contains("\"stock\":6", "\"name\":\"One\"");
      stock(live, 1, 6); // nothing differs
      update(live, "BRANDS", "NAME", 2, "Deux"); // through a relationship
      assertThat(client.next()).contains("\"stock\":6", "\"name\":\"Deux\"");
      assertThat(client.messages).isEmpty();
    }
  }

  @Test
  void commit_toAFilteredOrCountedTable_sendsTheResult() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe("a", "subscription { products(where: {brand: {name: {_eq: \"X\"}}}) {id} }");
      assertThat(client.next()).isEqualTo(next("a", "{\"products\":[]}"));
      client.subscribe("b", "subscription { products_aggregate { aggregate { sum {stock} } } }");
      assertThat(client.next())
          .isEqualTo(next("b", "{\"products_aggregate\":{\"aggregate\":{\"sum\":{\"stock\":5}}}}"));
      update(live, "BRANDS", "NAME", 1, "X");
      assertThat(client.next()).isEqualTo(next("a", "{\"products\":[{\"id\":1}]}"));
      stock(live, 2, 10);
      assertThat(client.next()).contains("\"stock\":15");
    }
  }

  @Test
  void commit_belowAView_sendsTheResult() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe("a", "subscription { stocked(order_by: {id: asc}) { id } }");
      assertThat(client.next()).isEqualTo(next("a", "{\"stocked\":[{\"id\":1}]}"));
      stock(live, 2, 1);
      assertThat(client.next()).isEqualTo(next("a", "{\"stocked\":[{\"id\":1},{\"id\":2}]}"));
    }
  }

  @Test
  void commit_toAnotherTable_runsNothing() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe("a", "subscription { products { id } }");
      client.subscribe("b", "subscription { brands { name } }");
      client.next();
      client.next();
      var before = live.engine.selects().get();
      update(live, "BRANDS", "NAME", 1, "Uno");
      assertThat(client.next()).startsWith("{\"id\":\"b\"");
      assertThat(live.engine.selects().get()).isEqualTo(before + 1);
    }
  }

  /** Where the changed rows of other writers are known; initially they are not. */
  @Test
  void commit_toAnotherRow_runsNothing() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe("a", "subscription { products_by_pk(id: 1) { stock brand { name } } }");
      client.subscribe("b", "subscription { products(where: {id: {_eq: 2}}) { stock } }");
      client.next();
      client.next();
      var runs = 0;
      for (int i = 100; runs != 1; i++) {
        var before = live.engine.selects().get();
        stock(live, 2, i);
        assertThat(client.next()).isEqualTo(next("b", "{\"products\":[{\"stock\":" + i + "}]}"));
        runs = live.engine.selects().get() - before;
      }
      stock(live, 1, 3);
      assertThat(client.next()).startsWith("{\"id\":\"a\"").contains("\"stock\":3");
      update(live, "BRANDS", "NAME", 1, "Uno");
      assertThat(client.next()).startsWith("{\"id\":\"a\"").contains("Uno");
      live.script("update products set stock = 4 where id = 1"); // it is not known which
      assertThat(client.next()).startsWith("{\"id\":\"a\"").contains("\"stock\":4");
    }
  }

  @Test
  void subscribers_ofOneQuery_costOneStatementPerCommit() throws Exception {
    try (var live = new LiveServer()) {
      var clients = new ArrayList<LiveClient>();
      for (int i = 0; i < 20; i++) {
        clients.add(live.connect().init());
      }
      var first = clients.getFirst();
      first.subscribe("s0", "subscription { products_by_pk(id: 1) { stock } }");
      first.next();
      var beforeSubscribing = live.engine.selects().get();
      for (var client : clients) {
        for (int j = 0; j < 50; j++) {
          if (client != first || j > 0) {
            client.subscribe("s" + j, "subscription { products_by_pk(id: 1) { stock } }");
            client.next();
          }
        }
      }
      assertThat(live.subscriptions()).isEqualTo(1);
      assertThat(live.engine.selects().get()).isEqualTo(beforeSubscribing);
      stock(live, 1, 77);
      for (var client : clients) {
        for (int j = 0; j < 50; j++) {
          assertThat(client.next()).contains("\"stock\":77");
        }
      }
      assertThat(live.engine.selects().get()).isEqualTo(beforeSubscribing + 1);
      clients.forEach(LiveClient::close);
      live.awaitNothingLeft();
    }
  }

  @Test
  void variables_thatDiffer_shareNothing() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      for (int id = 1; id <= 2; id++) {
        client.send(
            """
            {"id":"%d","type":"subscribe","payload":{"variables":{"id":%d},
             "query":"subscription($id: Int!) { products_by_pk(id: $id) { stock } }"}}
            """
                .formatted(id, id));
        client.next();
      }
      assertThat(live.subscriptions()).isEqualTo(2);
      stock(live, 2, 9);
      assertThat(client.next()).startsWith("{\"id\":\"2\"").contains(":9");
    }
  }

  @Test
  void variables_thatChangeTheOrderAlone_shareNothing() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      for (var order : List.of("asc", "desc")) {
        client.send(
            """
            {"id":"%s","type":"subscribe","payload":{"variables":{"order":{"id":"%1$s"}},
             "query":"subscription($order: [products_order_by!]) { products(order_by: $order) { id } }"}}
            """
                .formatted(order));
        // Awaited, so that the second finds the compiled document of the first.
        var rows = order.equals("asc") ? "[{\"id\":1},{\"id\":2}]" : "[{\"id\":2},{\"id\":1}]";
        assertThat(client.next()).isEqualTo(next(order, "{\"products\":" + rows + "}"));
      }
    }
  }

  @Test
  void pageOfAConnection_sendsChanges() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe(
          "a",
          "subscription { c: products_connection(last: 1, order_by: {stock: asc}) {"
              + " totalCount nodes { id } pageInfo { hasPreviousPage } } }");
      assertThat(client.next()).isEqualTo(next("a", page(2, 1)));
      stock(live, 2, 7);
      assertThat(client.next()).isEqualTo(next("a", page(2, 2)));
      live.script("insert into products values (3, 'Table', 9, null)");
      assertThat(client.next()).isEqualTo(next("a", page(3, 3)));
    }
  }

  private static String page(int total, int id) {
    return "{\"c\":{\"totalCount\":%d,\"nodes\":[{\"id\":%d}],\"pageInfo\":{\"hasPreviousPage\":true}}}"
        .formatted(total, id);
  }

  @Test
  void groups_areReturned() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe(
          "a",
          "subscription { g: products_group_by(by: brand_id, order_by: {key: {brand_id: asc}}) {"
              + " key { brand_id } aggregate { sum { stock } } } }");
      assertThat(client.next()).isEqualTo(next("a", groups(5, 0)));
      stock(live, 2, 4);
      assertThat(client.next()).isEqualTo(next("a", groups(5, 4)));
    }
  }

  private static String groups(int one, int two) {
    var group = "{\"key\":{\"brand_id\":%d},\"aggregate\":{\"sum\":{\"stock\":%d}}}";
    return "{\"g\":[" + group.formatted(1, one) + "," + group.formatted(2, two) + "]}";
  }

  @Test
  void schemaChange_isFollowedOrReported() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe("a", "subscription { products_by_pk(id: 1) { name } }");
      client.subscribe("b", "subscription { products_by_pk(id: 1) { stock } }");
      client.next();
      client.next();
      live.script("alter table products alter column name rename to title");
      live.server.refresh();
      assertThat(client.next()).startsWith("{\"id\":\"a\",\"type\":\"error\"").contains("name");
      stock(live, 1, 8);
      assertThat(client.next()).startsWith("{\"id\":\"b\",\"type\":\"next\"").contains(":8");
      client.subscribe("c", "subscription { products_by_pk(id: 1) { title } }");
      assertThat(client.next()).contains("Lamp");
    }
  }

  @Test
  void mutation_overTheSameSocket_returnsAndUpdatesTheLiveQuery() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.subscribe("a", "subscription { products_by_pk(id: 1) { stock } }");
      client.next();
      client.subscribe(
          "b",
          "mutation { update_products_by_pk(pk_columns: {id: 1}, _set: {stock: 41}) { stock } }");
      var told = List.of(client.next(), client.next(), client.next());
      assertThat(told)
          .containsExactlyInAnyOrder(
              next("a", "{\"products_by_pk\":{\"stock\":41}}"),
              next("b", "{\"update_products_by_pk\":{\"stock\":41}}"),
              "{\"id\":\"b\",\"type\":\"complete\"}");
    }
  }

  // ---- streams ----

  private static void event(LiveServer live, int id, int at) {
    live.script("insert into events values (" + id + ", " + at + ", 'e" + id + "')");
  }

  @Test
  void stream_sendsExistingRowsInBatchesAndThenNewOnes() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      for (int i = 1; i <= 5; i++) {
        event(live, i, 100);
      }
      client.subscribe(
          "a",
          "subscription { events_stream(batch_size: 2,"
              + " cursor: {initial_value: {at: 0}, ordering: ASC}) { id } }");
      assertThat(client.next()).isEqualTo(next("a", "{\"events_stream\":[{\"id\":1},{\"id\":2}]}"));
      assertThat(client.next()).isEqualTo(next("a", "{\"events_stream\":[{\"id\":3},{\"id\":4}]}"));
      assertThat(client.next()).isEqualTo(next("a", "{\"events_stream\":[{\"id\":5}]}"));
      event(live, 6, 99); // before the cursor: never told
      event(live, 7, 101);
      assertThat(client.next()).isEqualTo(next("a", "{\"events_stream\":[{\"id\":7}]}"));
      client.send("{\"id\":\"a\",\"type\":\"complete\"}");
      while (live.subscriptions() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void stream_withAFilterDescending_sendsRowsInDescendingOrder() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      for (int i = 1; i <= 9; i++) {
        event(live, i, i);
      }
      client.subscribe(
          "a",
          "subscription { s: events_stream(batch_size: 2, where: {id: {_neq: 6}},"
              + " cursor: [{initial_value: {at: 8}, ordering: DESC}]) { id } }");
      assertThat(client.next()).isEqualTo(next("a", "{\"s\":[{\"id\":7},{\"id\":5}]}"));
      assertThat(client.next()).isEqualTo(next("a", "{\"s\":[{\"id\":4},{\"id\":3}]}"));
    }
  }
}
