// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.testsupport.PostgresServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole large table over HTTP, from a process whose heap could not hold it. */
@Tag("long")
final class MillionRowsIT {

  private static final int ROWS = 1_000_000;
  private static final String FILL =
      "with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000)"
          + " insert into readings select (a.n - 1) * 1000 + b.n, 'reading ' || b.n, 0.25"
          + " from numbers a cross join numbers b";
  private static final String FILL_H2 =
      "insert into readings select x, 'reading ' || mod(x, 1000), 0.25 from system_range(1, 1000000)";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void select_millionRows_arriveCompleteFromASmallHeap(String kind)
      throws SQLException, IOException, InterruptedException {
    var url = url(kind);
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(
          "create table readings (id integer primary key, name varchar(20), amount numeric(8, 2))");
      statement.execute(kind.equals("h2") ? FILL_H2 : FILL);
    }
    try (var evita =
        EvitaProcess.start("serve", "--db", url, "--port=0", "--request-timeout=5m")
            .awaitServing()) {
      var request = GraphQlRequest.of(evita.graphQl(), "{ readings { id name amount } }");
      var answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (var body = new BufferedInputStream(answer.body(), 1 << 16)) {
        // One object for each row, one for "data", and the response itself.
        assertThat(objects(body)).isEqualTo(ROWS + 2);
      }
      assertThat(answer.statusCode()).isEqualTo(200);
    }
  }

  /** Counts objects, and fails unless each opened one is closed. */
  private static int objects(InputStream body) throws IOException {
    var opened = 0;
    var closed = 0;
    for (var next = body.read(); next >= 0; next = body.read()) {
      switch (next) {
        case '{' -> opened++;
        case '}' -> closed++;
        default -> {}
      }
    }
    assertThat(closed).isEqualTo(opened);
    return opened;
  }

  private String url(String kind) {
    return switch (kind) {
      case "h2" -> "jdbc:h2:file:" + directory.resolve("readings");
      case "sqlite" -> "jdbc:sqlite:" + directory.resolve("readings.db");
      case "postgresql" -> PostgresServer.start().createDatabase();
      default -> throw new IllegalArgumentException(kind);
    };
  }
}
