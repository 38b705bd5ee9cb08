// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.server.ApiClient.Answer;
import dev.evita.server.ApiClient.Api;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated writes, by each API; the table has no key that would prevent a second row. */
@Tag("long")
@Timeout(120)
final class IdempotencyKeysIT {

  private static final int CLIENTS = 12;

  @TempDir private Path folder;

  @BeforeEach
  void create() throws SQLException {
    try (var connection = DriverManager.getConnection(url());
        var statement = connection.createStatement()) {
      statement.execute("create table pets (id integer, name varchar(20))");
    }
  }

  private String url() {
    return "jdbc:h2:file:" + folder.resolve("pets");
  }

  private EvitaProcess serve(String... more) {
    var arguments = new ArrayList<>(List.of("serve", "--db", url(), "--port", "0"));
    arguments.addAll(List.of(more));
    return EvitaProcess.start(arguments.toArray(String[]::new)).awaitServing();
  }

  private static String rows(ApiClient client) {
    return client.graphQl(Api.GRAPHQL, "{ pets_aggregate { aggregate { count } } }", null).body();
  }

  private static void requireRows(ApiClient client, int count) {
    assertThat(rows(client)).contains("\"count\":" + count + "}");
  }

  @Test
  void sameRequest_isReplayedAlsoAfterARestart() {
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl())) {
      for (var api : Api.values()) {
        var first = client.insert(api, 1, "key-" + api);
        assertThat(first).as("%s", first).matches(Answer::isGood);
        assertThat(first.replayed()).isFalse();
        var second = client.insert(api, 1, "key-" + api);
        assertThat(second.replayed()).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
      }
      requireRows(client, Api.values().length);
      evita.kill();
    }
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl())) {
      for (var api : Api.values()) {
        assertThat(client.insert(api, 1, "key-" + api).replayed()).isTrue();
      }
      requireRows(client, Api.values().length);
    }
  }

  @Test
  void otherRequest_sameKey_isRejected() {
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl())) {
      for (var api : Api.values()) {
        assertThat(client.insert(api, 1, "key-" + api)).matches(Answer::isGood);
        var other = client.insert(api, 2, "key-" + api);
        assertThat(other.status()).isEqualTo(api == Api.GRPC ? "INVALID_ARGUMENT" : "422");
        assertThat(other.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
      }
      requireRows(client, Api.values().length);
    }
  }

  @ParameterizedTest
  @EnumSource(Api.class)
  void concurrentSameRequests_writeOnceAlsoDuringTableCreation(Api api) throws Exception {
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Answer> write = () -> client.insert(api, 1, "key");
      var fresh = 0;
      for (var each : threads.invokeAll(Collections.nCopies(CLIENTS, write))) {
        assertThat(each.get()).as("%s", each.get()).matches(Answer::isGood);
        fresh += each.get().replayed() ? 0 : 1;
      }
      assertThat(fresh).isEqualTo(1);
      requireRows(client, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(Api.class)
  void failedWrite_isNotStored(Api api) throws SQLException {
    try (var connection = DriverManager.getConnection(url());
        var statement = connection.createStatement()) {
      statement.execute("alter table pets add constraint small check (id < 100)");
    }
    try (var evita = serve();
        var client = new ApiClient(evita.graphQl())) {
      assertThat(client.insert(api, 100, "key").code()).isEqualTo("CHECK_VIOLATION");
      var again = client.insert(api, 100, "key");
      assertThat(again.code()).isEqualTo("CHECK_VIOLATION");
      assertThat(again.replayed()).isFalse();
      assertThat(client.insert(api, 1, "key")).matches(Answer::isGood);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--idempotency-retention", "--rest-idempotency-retention"})
  void disabledKeys_areRejected(String option) {
    try (var evita = serve(option, "0s");
        var client = new ApiClient(evita.graphQl())) {
      for (var api : Api.values()) {
        assertThat(client.insert(api, 1, "key").code()).isEqualTo("UNSUPPORTED_OPERATION");
        assertThat(client.insert(api, 1, null)).matches(Answer::isGood);
      }
    }
  }
}
