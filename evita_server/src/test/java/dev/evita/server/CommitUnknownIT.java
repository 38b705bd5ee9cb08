// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.server.ApiClient.Answer;
import dev.evita.server.ApiClient.Api;
import dev.evita.testsupport.FaultyProxy;
import dev.evita.testsupport.FaultyProxy.Cut;
import dev.evita.testsupport.FaultyProxy.Trigger;
import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A connection to PostgreSQL that is lost around a COMMIT, and the idempotency key as the remedy.
 */
@Timeout(120)
final class CommitUnknownIT {

  private static String url;
  private static FaultyProxy proxy;
  private static EvitaProcess evita;
  private static ApiClient client;

  @BeforeAll
  static void serve() throws IOException, SQLException {
    var postgres = PostgresServer.start();
    url = postgres.createDatabase();
    execute("create table pets (id integer, name varchar(20))");
    proxy = FaultyProxy.start(postgres.port(), Trigger.POSTGRES_COMMIT);
    var proxied = url.replace(":" + postgres.port() + "/", ":" + proxy.port() + "/");
    evita = EvitaProcess.start("serve", "--db", proxied, "--port", "0").awaitServing();
    client = new ApiClient(evita.graphQl());
    // Creates the table of the keys.
    assertThat(client.insert(Api.REST, 0, "first")).matches(Answer::isGood);
  }

  @AfterAll
  static void stop() {
    client.close();
    evita.close();
    proxy.close();
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @BeforeEach
  void empty() throws SQLException {
    execute("delete from pets");
  }

  private static int rows() throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var result = statement.executeQuery("select count(*) from pets")) {
      result.next();
      return result.getInt(1);
    }
  }

  private static void requireUnknown(Api api, Answer answer) {
    assertThat(answer.code()).isEqualTo("COMMIT_UNKNOWN");
    assertThat(answer.status()).isEqualTo(api == Api.GRPC ? "DEADLINE_EXCEEDED" : "504");
    assertThat(answer.body()).contains("Idempotency-Key").doesNotContain("failed", "Exception");
  }

  @ParameterizedTest
  @EnumSource(Api.class)
  void commitConfirmationLost_isUnknownAndTheKeyResolvesIt(Api api) throws SQLException {
    var key = "kept-" + api;
    proxy.arm(Cut.ANSWER, 1);
    requireUnknown(api, client.insert(api, 1, key));
    proxy.disarm();
    assertThat(rows()).isEqualTo(1);

    var again = client.insert(api, 1, key);
    assertThat(again).matches(Answer::isGood);
    assertThat(again.replayed()).isTrue();
    assertThat(rows()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Api.class)
  void commitLost_isUnknownAndTheKeyWritesOnce(Api api) throws SQLException {
    var key = "lost-" + api;
    proxy.arm(Cut.REQUEST, 1);
    requireUnknown(api, client.insert(api, 1, key));
    proxy.disarm();
    assertThat(rows()).isZero();

    var again = client.insert(api, 1, key);
    assertThat(again).matches(Answer::isGood);
    assertThat(again.replayed()).isFalse();
    assertThat(client.insert(api, 1, key).replayed()).isTrue();
    assertThat(rows()).isEqualTo(1);
  }
}
