// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables are created, altered and dropped during requests: requests for permanent tables always
 * succeed, and requests for changing ones get the response of one schema or the other. Every other
 * client uses HTTP/2, on one connection.
 */
@Tag("long")
final class SchemaChangeIT {

  private static final int TABLES = 60;
  private static final int CYCLES = 5;
  private static final int REQUESTS_PER_STATEMENT = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final HttpClient http1 =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpClient http2 =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** The repeated request of a client. */
  private record Asked(String document, Predicate<String> right, AtomicInteger answers) {

    /** A request for permanent objects. */
    static Asked always(String document, String answer) {
      return new Asked(document, answer::equals, new AtomicInteger());
    }

    /** A request for changing objects: they exist, or are unknown to the schema. */
    static Asked sometimes(String document, String answer) {
      return new Asked(
          document,
          text -> text.equals(answer) || text.contains("\"code\":\"INVALID_DOCUMENT\""),
          new AtomicInteger());
    }
  }

  private static List<Asked> asked() {
    return List.of(
        Asked.always("{ t7 { id name } }", "{\"data\":{\"t7\":[{\"id\":1,\"name\":\"one\"}]}}"),
        Asked.always(
            "{ t7 { id parent { name t7 { id } } } }",
            "{\"data\":{\"t7\":[{\"id\":1,\"parent\":{\"name\":\"one\",\"t7\":[{\"id\":1}]}}]}}"),
        Asked.always(
            "{ changing(order_by: {id: asc}) { id amount } }",
            "{\"data\":{\"changing\":[{\"id\":1,\"amount\":5}]}}"),
        Asked.always(
            "{ changing_by_pk(id: 1) { id amount } }",
            "{\"data\":{\"changing_by_pk\":{\"id\":1,\"amount\":5}}}"),
        Asked.sometimes(
            "{ changing { id more } }", "{\"data\":{\"changing\":[{\"id\":1,\"more\":7}]}}"),
        Asked.sometimes("{ passing { id } }", "{\"data\":{\"passing\":[]}}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void schemaChange_underLoad_failsNoRequest(String kind)
      throws SQLException, InterruptedException {
    var url = url(kind);
    try (var ddl = DriverManager.getConnection(url)) {
      create(ddl);
      try (var engine = JdbcEngine.open(url);
          var server = ExternalApiServer.over(engine).start()) {
        var graphQl = server.uri().resolve("/graphql");
        var asked = asked();
        var clients = new ArrayList<Thread>();
        for (var each : asked) {
          var http = clients.size() % 2 == 0 ? http1 : http2;
          clients.add(Thread.ofPlatform().start(() -> ask(http, graphQl, each)));
        }
        try {
          change(ddl, asked);
        } finally {
          stopped.set(true);
          for (var client : clients) {
            client.join();
          }
        }
        assertThat(wrong).isEmpty();
        awaitServed(graphQl);
      }
    }
  }

  private String url(String kind) {
    return switch (kind) {
      case "h2" -> "jdbc:h2:mem:" + UUID.randomUUID();
      case "sqlite" -> "jdbc:sqlite:" + directory.resolve("changing.db") + "?busy_timeout=30000";
      case "postgresql" -> PostgresServer.start().createDatabase();
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static void create(Connection ddl) throws SQLException {
    for (int i = 0; i < TABLES; i++) {
      execute(
          ddl,
          "create table t%d (id int primary key, name varchar(20), parent_id int%s)"
              .formatted(i, i == 0 ? "" : " references t" + (i - 1) + " (id)"));
      execute(ddl, "insert into t%d values (1, 'one', 1)".formatted(i));
    }
    execute(ddl, "create table changing (id int primary key, amount int)");
    execute(ddl, "insert into changing values (1, 5)");
  }

  /** Executes each statement once all clients have got some responses since the last one. */
  private void change(Connection ddl, List<Asked> asked) throws SQLException {
    for (int cycle = 0; cycle < CYCLES && wrong.isEmpty(); cycle++) {
      for (var statement :
          List.of(
              "create table passing (id int primary key)",
              "alter table changing add column more int default 7",
              "create index changing_amount on changing (amount)",
              "drop table passing",
              "drop index changing_amount",
              "alter table changing drop column more")) {
        execute(ddl, statement);
        awaitAnswers(asked);
      }
    }
    execute(ddl, "create table last (id int primary key)");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static ConditionFactory waiting() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).atMost(PATIENCE);
  }

  private void awaitAnswers(List<Asked> asked) {
    asked.forEach(each -> each.answers().set(0));
    waiting()
        .until(() ->
            asked.stream().allMatch(each -> each.answers().get() >= REQUESTS_PER_STATEMENT)
                || !wrong.isEmpty());
  }

  private void awaitServed(URI graphQl) {
    waiting()
        .until(() -> answer(http1, graphQl, "{ last { id } }").equals("{\"data\":{\"last\":[]}}"));
  }

  private void ask(HttpClient http, URI graphQl, Asked asked) {
    while (!stopped.get()) {
      var answer = answer(http, graphQl, asked.document());
      if (!asked.right().test(answer)) {
        wrong.add(asked.document() + " was answered " + answer);
      }
      asked.answers().incrementAndGet();
    }
  }

  private static String answer(HttpClient http, URI graphQl, String document) {
    try {
      return http.send(GraphQlRequest.of(graphQl, document), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      return e.toString();
    }
  }
}
