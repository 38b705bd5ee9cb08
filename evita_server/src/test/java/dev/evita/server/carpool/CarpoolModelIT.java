// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.carpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import dev.evita.externalapi.sql.SqlOptions;
import dev.evita.externalapi.sql.SqlProvider;
import dev.evita.server.carpool.Linearizability.Event;
import dev.evita.server.carpool.Linearizability.Kind;
import dev.evita.testsupport.PostgresServer;
import dev.evita.testsupport.SqliteFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random concurrent reads and writes of a few counters, by REST and by handlers, of clients of whom
 * some leave: all responses and the final state can be explained by a serial order, with the
 * carpool and without.
 */
@Timeout(300)
final class CarpoolModelIT {

  private static final int COUNTERS = 6;
  private static final int CLIENTS = 16;
  private static final int OPERATIONS = 40;
  private static final List<Kind> KINDS = List.of(Kind.values());

  private static final String DECLARATIONS =
      """
      -- path: counter integer
      -- set-based: true
      -- conflict-key: counter
      """;

  private static final String ADD =
      """
      -- route: POST /add/:counter
      %supdate counters set total = total + 1 where id in (select counter from request);
      select request.id, cast(counters.total as varchar(10)) as body
        from request join counters on counters.id = request.counter
      """
          .formatted(DECLARATIONS);

  /** The table's check refuses to take from an empty counter. */
  private static final String TAKE =
      """
      -- route: POST /take/:counter
      %supdate counters set total = total - 1 where id in (select counter from request);
      select request.id, cast(counters.total as varchar(10)) as body
        from request join counters on counters.id = request.counter
      """
          .formatted(DECLARATIONS);

  private static final String READ =
      """
      -- route: GET /total/:counter
      -- path: counter integer
      -- set-based: true
      select request.id, cast(counters.total as varchar(10)) as body
        from request join counters on counters.id = request.counter
      """;

  @TempDir private Path handlers;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ConcurrentLinkedQueue<Event>> history = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"h2,ON", "sqlite,ON", "postgresql,ON", "postgresql,AUTO", "postgresql,OFF"})
  void responses_ofRandomOperations_areSerializable(String kind, CarpoolMode mode)
      throws Exception {
    var url = database(kind);
    Files.writeString(handlers.resolve("add.sql"), ADD);
    Files.writeString(handlers.resolve("take.sql"), TAKE);
    Files.writeString(handlers.resolve("read.sql"), READ);
    for (int i = 0; i < COUNTERS; i++) {
      history.add(new ConcurrentLinkedQueue<>());
    }
    try (var engine = JdbcEngine.open(url);
        var server =
            ExternalApiServer.over(engine)
                .options(ServerOptions.builder().carpool(mode).build())
                .provider(new SqlProvider(SqlOptions.builder().handlers(handlers).build()))
                .start()) {
      run(server.uri());
      if (mode == CarpoolMode.ON) {
        assertThat(server.carpool().largest()).isGreaterThan(1);
      }
      for (int counter = 0; counter < COUNTERS; counter++) {
        var total = total(url, counter);
        var events = List.copyOf(history.get(counter));
        assertThat(Linearizability.holds(events, total))
            .as("counter %d, in the end %d: %s", counter, total, events)
            .isTrue();
      }
    } finally {
      http.close();
    }
  }

  private static String database(String kind) throws SQLException {
    var url =
        switch (kind) {
          case "h2" -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
          case "sqlite" -> SqliteFile.newUrl();
          default -> PostgresServer.start().createDatabase();
        };
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(
          "create table counters (id int primary key, total int not null check (total >= 0))");
      for (int i = 0; i < COUNTERS; i++) {
        statement.execute("insert into counters values (" + i + ", 0)");
      }
    }
    return url;
  }

  private static int total(String url, int counter) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select total from counters where id = " + counter)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private void run(URI server) {
    try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
      var running = new ArrayList<CompletableFuture<Void>>();
      for (int client = 0; client < CLIENTS; client++) {
        var random = new Random(client);
        running.add(CompletableFuture.runAsync(() -> operate(server, random), clients));
      }
      running.forEach(CompletableFuture::join);
    }
  }

  private void operate(URI server, Random random) {
    for (int i = 0; i < OPERATIONS; i++) {
      var counter = random.nextInt(COUNTERS);
      var kind = KINDS.get(random.nextInt(KINDS.size()));
      // Half of the reads by REST, and of the adds by GraphQL; one in ten clients leaves.
      var api = random.nextBoolean();
      var leaves = random.nextInt(10) == 0;
      var begin = System.nanoTime();
      var result =
          leaves ? leave(request(server, kind, api, counter)) : send(server, kind, api, counter);
      var end = result == Linearizability.UNKNOWN ? Long.MAX_VALUE : System.nanoTime();
      if (kind != Kind.READ || result != Linearizability.UNKNOWN) {
        history.get(counter).add(new Event(kind, begin, end, result));
      }
    }
  }

  private static HttpRequest request(URI server, Kind kind, boolean api, int counter) {
    if (api && kind == Kind.ADD) {
      return HttpRequest.newBuilder(server.resolve("/graphql"))
          .header("Content-Type", "application/json")
          .POST(
              HttpRequest.BodyPublishers.ofString(
                  "{\"query\": \"mutation { update_counters_by_pk(pk_columns: {id: %d}, _inc: {total: 1}) { total } }\"}"
                      .formatted(counter)))
          .build();
    }
    var target =
        switch (kind) {
          case READ -> api ? "/rest/counters?select=total&id=eq." : "/total/";
          case ADD -> "/add/";
          case TAKE -> "/take/";
        };
    return HttpRequest.newBuilder(server.resolve(target + counter))
        .timeout(Duration.ofSeconds(60))
        .method(kind == Kind.READ ? "GET" : "POST", HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private int send(URI server, Kind kind, boolean api, int counter) {
    try {
      var response =
          http.send(request(server, kind, api, counter), HttpResponse.BodyHandlers.ofString());
      if (kind == Kind.TAKE && response.statusCode() == 400) {
        assertThat(response.body()).contains("CHECK_VIOLATION");
        return Linearizability.REFUSED;
      }
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return Integer.parseInt(response.body().replaceAll("[^0-9]", ""));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private int leave(HttpRequest request) {
    var unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).cancel(true);
    return Linearizability.UNKNOWN;
  }
}
