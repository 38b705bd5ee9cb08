// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.carpool;

import static org.awaitility.Awaitility.await;

import dev.evita.api.testkit.HeldEngine;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.carpool.CarpoolCounters;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import dev.evita.testsupport.PostgresServer;
import dev.evita.testsupport.SqliteFile;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A server with the carpool over a real database whose executions can be held back. */
final class CarpoolServer implements AutoCloseable {

  private static final String TABLE =
      """
      create table users (
        id int primary key, handle varchar(30) not null unique, age varchar(10), visits int)\
      """;

  static final int USERS = 300;

  private final HeldEngine engine;
  private final ExternalApiServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private CarpoolServer(HeldEngine engine, ServerOptions options) {
    this.engine = engine;
    this.server = ExternalApiServer.over(engine).options(options).start();
  }

  /** Users 1 to 300; the age of user 13 is no number. */
  static CarpoolServer start(String kind, UnaryOperator<ServerOptions.Builder> options)
      throws SQLException {
    var url =
        switch (kind) {
          case "h2" -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
          case "sqlite" -> SqliteFile.newUrl();
          default -> PostgresServer.start().createDatabase();
        };
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(TABLE);
      statement.execute(
          "create table posts (id int primary key, user_id int references users (id))");
      statement.execute("create index posts_user on posts (user_id)");
      for (int id = 1; id <= USERS; id++) {
        statement.addBatch(
            "insert into users values (%d, 'user%d', '%s', 0)"
                .formatted(id, id, id == 13 ? "unknown" : id % 90));
      }
      statement.executeBatch();
      for (int id = 1; id <= 20; id++) {
        statement.execute("insert into posts values (%d, %d)".formatted(id, id));
      }
    }
    return new CarpoolServer(
        new HeldEngine(JdbcEngine.open(url)),
        options.apply(ServerOptions.builder().carpool(CarpoolMode.ON)).build());
  }

  HeldEngine engine() {
    return engine;
  }

  CarpoolCounters.Snapshot counters() {
    return server.carpool();
  }

  void awaitExecutions(int count) {
    await().atMost(Duration.ofSeconds(30)).until(() -> engine.executions() == count);
  }

  void awaitWaiting(int count) {
    await().atMost(Duration.ofSeconds(30)).until(() -> server.carpool().waiting() == count);
  }

  URI uri(String target) {
    return server.uri().resolve(target);
  }

  CompletableFuture<HttpResponse<String>> get(String target) {
    return send(HttpRequest.newBuilder(uri(target)).build());
  }

  CompletableFuture<HttpResponse<String>> graphQl(String query) {
    return get("/graphql?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
  }

  CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    engine.release();
    http.close();
    server.close();
    engine.close();
  }
}
