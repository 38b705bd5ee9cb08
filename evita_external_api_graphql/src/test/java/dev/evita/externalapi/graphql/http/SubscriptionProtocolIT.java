// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.H2Shop;
import dev.evita.externalapi.graphql.InterceptedEngine;
import dev.evita.externalapi.graphql.LiveClient;
import dev.evita.externalapi.graphql.LiveServer;
import dev.evita.externalapi.graphql.ShopData;
import dev.evita.externalapi.graphql.SubscriptionOptions;
import dev.evita.externalapi.graphql.request.SocketMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code graphql-transport-ws}, message by message (graphql-ws, PROTOCOL.md). */
@Timeout(120)
final class SubscriptionProtocolIT {

  private static final String NAME = "subscription { products_by_pk(id: 1) { name } }";
  private static final String LAMP =
      "{\"id\":\"a\",\"type\":\"next\",\"payload\":{\"data\":{\"products_by_pk\":{\"name\":\"Lamp\"}}}}";

  @Test
  void handshake_agreesOnTheProtocol() throws Exception {
    try (var live = new LiveServer();
        var client =
            LiveClient.connect(live.server.port(), List.of("graphql-ws", SocketMessage.PROTOCOL))) {
      client.init();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"graphql-ws", ""})
  void handshake_withoutTheProtocol_isClosed4406(String protocol) throws Exception {
    var protocols = protocol.isEmpty() ? List.<String>of() : List.of(protocol);
    try (var live = new LiveServer();
        var client = LiveClient.connect(live.server.port(), protocols)) {
      assertThat(client.closeCode()).isEqualTo(4406);
      live.awaitNothingLeft();
    }
  }

  @Test
  void init_thatDoesNotCome_isClosed4408() throws Exception {
    var options =
        SubscriptionOptions.builder()
            .maxSubscriptions(10)
            .connectionInitTimeout(Duration.ofMillis(100))
            .build();
    try (var live = new LiveServer(H2Shop.open(LiveServer.SHOP), options, all -> all);
        var client = live.connect()) {
      assertThat(client.closeCode()).isEqualTo(4408);
    }
  }

  @Test
  void init_twice_isClosed4429() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      client.send("{\"type\":\"connection_init\",\"payload\":{}}");
      assertThat(client.closeCode()).isEqualTo(4429);
    }
  }

  @Test
  void subscribe_beforeTheAck_isClosed4401() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().subscribe("a", NAME)) {
      assertThat(client.closeCode()).isEqualTo(4401);
    }
  }

  @Test
  void subscribe_withAnIdInUse_isClosed4409() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init().subscribe("a", NAME)) {
      assertThat(client.next()).isEqualTo(LAMP);
      client.subscribe("a", NAME);
      assertThat(client.closeCode()).isEqualTo(4409);
      live.awaitNothingLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "[]",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"unknown\"}",
        "{\"type\":\"next\",\"id\":\"a\"}",
        "{\"type\":\"subscribe\",\"payload\":{\"query\":\"{__typename}\"}}",
        "{\"type\":\"subscribe\",\"id\":\"\",\"payload\":{\"query\":\"{__typename}\"}}",
        "{\"type\":\"subscribe\",\"id\":7,\"payload\":{\"query\":\"{__typename}\"}}",
        "{\"type\":\"subscribe\",\"id\":\"a\"}",
        "{\"type\":\"subscribe\",\"id\":\"a\",\"payload\":{\"query\":7}}",
        "{\"type\":\"subscribe\",\"id\":\"a\",\"payload\":{\"query\":\"{a}\",\"variables\":[]}}",
        "{\"type\":\"subscribe\",\"id\":\"a\",\"payload\":{}}",
        "{\"type\":\"subscribe\",\"id\":\"a\",\"payload\":{\"variables\":{}}}",
        "{\"type\":\"complete\"}",
        "{\"type\":\"ping\"} x",
        "{\"type\":\"ping\",\"payload\":5}",
        "{\"type\":\"ping\",\"payload\":[]}",
        "{\"type\":\"ping\"}{\"type\":\"ping\"}",
      })
  void message_thatIsNone_isClosed4400(String message) throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init().send(message)) {
      assertThat(client.closeCode()).isEqualTo(4400);
    }
  }

  @Test
  void ping_getsItsPayload_pongIsAccepted() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect()) {
      client.send("{\"type\":\"ping\",\"payload\":{\"a\":[1,\"é\"]}}");
      assertThat(client.next()).isEqualTo("{\"type\":\"pong\",\"payload\":{\"a\":[1,\"é\"]}}");
      client.send("{\"type\":\"pong\"}").send("{\"type\":\"ping\"}");
      assertThat(client.next()).isEqualTo("{\"type\":\"pong\"}");
    }
  }

  @Test
  void query_returnsAndCompletes_andItsIdIsFree() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      for (int i = 0; i < 3; i++) {
        client.subscribe("a", "{ products_by_pk(id: 1) { name } }");
        assertThat(client.next()).isEqualTo(LAMP);
        assertThat(client.next()).isEqualTo("{\"id\":\"a\",\"type\":\"complete\"}");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "subscription { nowhere }",
        "subscription { a: products { id } b: products { id } }",
        "subscription { products_stream(batch_size: 0, cursor: {initial_value: {id: 0}}) { id } }",
        "subscription { products_stream(batch_size: 1, cursor: []) { id } }",
        "subscription { products_stream(batch_size: 1, cursor: {initial_value: {}}) { id } }",
      })
  void subscribe_toWhatIsWrong_isAnErrorMessage(String document) throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init().subscribe("a", document)) {
      assertThat(client.next())
          .startsWith("{\"id\":\"a\",\"type\":\"error\",\"payload\":[{\"message\":");
      client.subscribe("a", NAME);
      assertThat(client.next()).isEqualTo(LAMP);
    }
  }

  @Test
  void complete_byTheClient_endsItAndFreesTheId() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init().subscribe("a", NAME)) {
      assertThat(client.next()).isEqualTo(LAMP);
      client.send("{\"id\":\"a\",\"type\":\"complete\"}");
      client.send("{\"id\":\"unknown\",\"type\":\"complete\"}");
      while (live.subscriptions() + live.interests() > 0) {
        Thread.onSpinWait();
      }
      client.subscribe("a", NAME);
      assertThat(client.next()).isEqualTo(LAMP);
    }
  }

  @Test
  void subscribe_beyondTheLimit_isAnErrorMessage() throws Exception {
    var options = SubscriptionOptions.builder().maxSubscriptions(1).build();
    try (var live = new LiveServer(H2Shop.open(LiveServer.SHOP), options, all -> all);
        var client = live.connect().init().subscribe("a", NAME)) {
      assertThat(client.next()).isEqualTo(LAMP);
      client.subscribe("b", NAME);
      assertThat(client.next())
          .startsWith("{\"id\":\"b\",\"type\":\"error\"")
          .contains("TOO_MANY_SUBSCRIPTIONS", "max-subscriptions");
    }
  }

  @Test
  void result_largerThanAMessage_isAnErrorMessage() throws Exception {
    try (var live = new LiveServer();
        var client = live.connect().init()) {
      live.script(
          "insert into products select x, repeat('x', 1000000), 0, null from system_range(3, 11)");
      client.subscribe("a", "subscription { products { name } }");
      assertThat(client.next())
          .startsWith("{\"id\":\"a\",\"type\":\"error\"")
          .contains("ANSWER_TOO_LARGE", "max-message-bytes");
      while (live.subscriptions() + live.interests() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void internalErrorDuringAMessage_closes4500() throws Exception {
    var engine = InterceptedEngine.failingAtCancel(H2Shop.open(LiveServer.SHOP));
    try (var live = new LiveServer(engine, SubscriptionOptions.DEFAULT, all -> all);
        var client = live.connect().init().subscribe("a", NAME)) {
      engine.awaitRun();
      client.send("{\"id\":\"a\",\"type\":\"complete\"}");
      assertThat(client.closeCode()).isEqualTo(4500);
      live.awaitNothingLeft();
    }
  }

  @Test
  void client_connectionLost_releasesResources() throws Exception {
    try (var live = new LiveServer()) {
      for (int i = 0; i < 20; i++) {
        var client = live.connect().init().subscribe("a", NAME);
        assertThat(client.next()).isEqualTo(LAMP);
        client.subscribe("b", "subscription { products { id } }");
        client.close();
      }
      live.awaitNothingLeft();
    }
  }

  @Test
  void shutdown_closes1001() throws Exception {
    var live = new LiveServer();
    try (var client = live.connect().init().subscribe("a", NAME)) {
      assertThat(client.next()).isEqualTo(LAMP);
      live.close();
      assertThat(client.closeCode()).isEqualTo(1001);
    }
  }

  @Test
  void subscription_byPlainHttp_errorNamesTheTransports() {
    try (var client = new Client(ShopData.engine())) {
      assertThat(client.ask("subscription { products { id } }"))
          .contains("NOT_ACCEPTABLE", "graphql-transport-ws", "text/event-stream");
    }
  }
}
