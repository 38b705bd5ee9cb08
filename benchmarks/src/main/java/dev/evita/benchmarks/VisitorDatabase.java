// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * The table of the carpool demonstration in a PostgreSQL of its own. Not thread-safe. The caller
 * that opened it closes it.
 */
final class VisitorDatabase implements AutoCloseable {

  static final int VISITORS = 1_000_000;

  /** Of the rows that random visits are expected to change, a run must have changed so many. */
  private static final double LEAST_SHARE = 0.9;

  private final PostgresServer postgres;
  private final Connection connection;
  private final String name;

  private VisitorDatabase(PostgresServer postgres, Connection connection, String name) {
    this.postgres = postgres;
    this.connection = connection;
    this.name = name;
  }

  /**
   * Starts PostgreSQL and fills the table.
   *
   * @param settings as in {@code postgresql.conf}
   */
  static VisitorDatabase open(List<String> settings) throws SQLException {
    var postgres = PostgresServer.separate(settings.toArray(new String[0]));
    var url = postgres.createDatabase();
    var database =
        new VisitorDatabase(
            postgres,
            DriverManager.getConnection(url),
            url.replaceAll(".*/([a-z0-9]+)\\?.*", "$1"));
    database.execute(
        "create table users (id integer not null, \"lastSeen\" timestamptz,"
            + " \"lastLastSeen\" timestamptz)");
    database.execute("insert into users (id) select generate_series(1, " + VISITORS + ")");
    database.execute("alter table users add primary key (id)");
    database.execute("vacuum analyze users");
    return database;
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the URL in the form of libpq. */
  URI url() {
    return URI.create(
        "postgres://postgres@127.0.0.1:%d/%s?sslmode=disable".formatted(postgres.port(), name));
  }

  /** Processor time of PostgreSQL so far, in microseconds. */
  double micros() {
    return postgres.process().map(ProcessorTime::micros).orElse(0.0);
  }

  /** Prepares a run: no visits, and none of the row versions of the run before. */
  void reset() throws SQLException {
    OpenTransactions.settle(connection);
    execute(
        "update users set \"lastSeen\" = null, \"lastLastSeen\" = null where \"lastSeen\" is not null");
    execute("vacuum users");
    execute("checkpoint");
  }

  /**
   * Checks that a run changed as many rows as that many visits of random visitors do.
   *
   * @throws IOException if it changed fewer, or more than there were visits
   */
  void requireVisits(LoadResult load) throws IOException, SQLException {
    OpenTransactions.settle(connection);
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("select count(*) from users where \"lastSeen\" is not null")) {
      rows.next();
      var changed = rows.getLong(1);
      var expected = VISITORS * -Math.expm1(-(double) load.succeeded() / VISITORS);
      var most = load.requests() + load.unfinished();
      if (changed < LEAST_SHARE * expected || changed > most) {
        throw new IOException(
            "wrong number of visits; expected about %.0f changed rows, at most %d; got %d"
                .formatted(expected, most, changed));
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    postgres.close();
  }
}
