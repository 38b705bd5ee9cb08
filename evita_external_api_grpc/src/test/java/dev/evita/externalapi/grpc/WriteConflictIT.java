// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.testkit.FaultyEngine;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import io.grpc.Status;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that lose to other transactions. */
@Timeout(60)
final class WriteConflictIT {

  private static final String INSERT = "{\"row\": {\"id\": 2, \"name\": \"Bolt\"}}";

  private FaultyEngine engine;
  private ExternalApiServer server;
  private ReflectingClient client;

  @BeforeEach
  void open() throws SQLException {
    var url = "jdbc:h2:mem:" + UUID.randomUUID();
    try (var database = DriverManager.getConnection(url + ";DB_CLOSE_DELAY=-1");
        var statement = database.createStatement()) {
      statement.execute("create table items (id integer primary key, name varchar(20))");
    }
    engine = new FaultyEngine(JdbcEngine.open(url));
    server =
        ExternalApiServer.over(engine)
            .port(0)
            .provider(new GrpcProvider())
            .withoutDiscovery()
            .start();
    client = new ReflectingClient(server.port());
    client.call("public.Items/Insert", "{\"row\": {\"id\": 1, \"name\": \"Anvil\"}}");
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    engine.close();
  }

  @Test
  void insert_withConflict_isRetried_andWrittenOnce() {
    var transactions = engine.transactions();
    var commits = engine.commits();
    engine.losing(11);
    assertThat(client.call("public.Items/Insert", INSERT)).contains("Bolt");
    assertThat(engine.transactions() - transactions).isEqualTo(12);
    assertThat(engine.commits() - commits).isEqualTo(1);
  }

  @Test
  void insert_withPermanentConflict_isAborted_andNotWritten() {
    engine.losing(12);
    assertThatThrownBy(() -> client.call("public.Items/Insert", INSERT))
        .satisfies(
            e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.ABORTED));
    assertThat(client.stream("public.Items/Scan", "{}")).hasSize(1);
  }
}
