// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * pgbench's tables in a PostgreSQL of their own, with PgBouncer in front of it for programs that
 * use it, and in files of H2. Not thread-safe. The caller that opened it closes it.
 */
final class TpcbDatabase implements AutoCloseable {

  /** Rows of each table for each unit of the scale, as pgbench has them. */
  static final int ACCOUNTS = 100_000;

  static final int TELLERS = 10;

  private static final String TABLES =
      """
      create table pgbench_branches (bid integer not null, bbalance integer, filler char(88));
      create table pgbench_tellers (tid integer not null, bid integer, tbalance integer,
        filler char(84));
      create table pgbench_accounts (aid integer not null, bid integer, abalance integer,
        filler char(84));
      create table pgbench_history (tid integer, bid integer, aid integer, delta integer,
        mtime timestamp, filler char(22));
      insert into pgbench_branches (bid, bbalance) select n, 0 from %1$s(1, %2$d) as numbers(n);
      insert into pgbench_tellers (tid, bid, tbalance)
        select n, (n - 1) / 10 + 1, 0 from %1$s(1, %2$d * 10) as numbers(n);
      insert into pgbench_accounts (aid, bid, abalance, filler)
        select n, (n - 1) / 100000 + 1, 0, '' from %1$s(1, %2$d * 100000) as numbers(n);
      alter table pgbench_branches add primary key (bid);
      alter table pgbench_tellers add primary key (tid);
      alter table pgbench_accounts add primary key (aid);
      """;

  /** The sums that each transaction keeps equal; one row. */
  static final String SUMS =
      """
      select (select sum(abalance) from pgbench_accounts) as accounts,
        (select sum(tbalance) from pgbench_tellers) as tellers,
        (select sum(bbalance) from pgbench_branches) as branches,
        (select coalesce(sum(delta), 0) from pgbench_history) as deltas,
        (select count(*) from pgbench_history) as history
      """;

  private final int scale;
  private final List<String> settings;
  private @Nullable PostgresServer postgres;
  private @Nullable Connection connection;
  private String jdbcUrl = "";
  private final List<Path> h2Directories = new ArrayList<>();
  private final List<PgBouncer> poolers = new ArrayList<>();

  /**
   * @param scale of pgbench: 100,000 accounts for each unit
   * @param settings of PostgreSQL, as in {@code postgresql.conf}
   */
  TpcbDatabase(int scale, List<String> settings) {
    this.scale = scale;
    this.settings = List.copyOf(settings);
  }

  int scale() {
    return scale;
  }

  /** Returns the PostgreSQL, started and filled by the first call. */
  private PostgresServer postgres() throws SQLException {
    var known = postgres;
    if (known == null) {
      known = PostgresServer.separate(settings.toArray(new String[0]));
      postgres = known;
      jdbcUrl = known.createDatabase();
      connection = DriverManager.getConnection(jdbcUrl);
      execute(tables("generate_series", scale), "vacuum analyze");
    }
    return known;
  }

  private static String tables(String numbers, int scale) {
    return TABLES.formatted(numbers, scale);
  }

  private void execute(String... statements) throws SQLException {
    try (var statement = connection().createStatement()) {
      for (var each : statements) {
        statement.execute(each);
      }
    }
  }

  private Connection connection() throws SQLException {
    postgres();
    var open = connection;
    if (open == null) {
      throw new IllegalStateException("the connection is opened with the server");
    }
    return open;
  }

  /**
   * Returns the URL of PostgreSQL in the form of libpq.
   *
   * @param pooled whether by way of a PgBouncer of its own, whose connections have no state of
   *     other programs
   */
  URI url(boolean pooled) throws IOException, SQLException, InterruptedException {
    var port = postgres().port();
    var name = jdbcUrl.replaceAll(".*/([a-z0-9]+)\\?.*", "$1");
    var direct =
        URI.create("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable".formatted(port, name));
    if (!pooled) {
      return direct;
    }
    var pooler = PgBouncer.start(direct);
    poolers.add(pooler);
    return pooler.url();
  }

  /** Returns the JDBC URL of a new file of H2 with the tables. */
  String h2() throws IOException, SQLException {
    var directory = Files.createTempDirectory("evita-tpcb");
    h2Directories.add(directory);
    var url = "jdbc:h2:" + directory.resolve("tpcb");
    try (var created = DriverManager.getConnection(url);
        var statement = created.createStatement()) {
      for (var each : tables("system_range", scale).split(";\n")) {
        statement.execute(each);
      }
      statement.execute("analyze");
    }
    return url;
  }

  /** Processor time of PostgreSQL so far, in microseconds. */
  double databaseMicros() throws SQLException {
    return postgres().process().map(ProcessorTime::micros).orElse(0.0);
  }

  /** Processor time of each PgBouncer so far, in microseconds; those of other programs idle. */
  double poolerMicros() {
    return poolers.stream().mapToDouble(each -> ProcessorTime.micros(each.handle())).sum();
  }

  /** What pgbench does before each of its runs, so that none pays for those before it. */
  void reset() throws SQLException {
    execute(
        "vacuum pgbench_branches",
        "vacuum pgbench_tellers",
        "truncate pgbench_history",
        "checkpoint");
  }

  /** Waits for what a load has left; see {@link OpenTransactions#settle}. */
  int settle() throws SQLException {
    return OpenTransactions.settle(connection());
  }

  TpcbSums sums() throws SQLException {
    try (var statement = connection().createStatement();
        var rows = statement.executeQuery(SUMS)) {
      rows.next();
      return new TpcbSums(
          rows.getLong("accounts"),
          rows.getLong("tellers"),
          rows.getLong("branches"),
          rows.getLong("deltas"),
          rows.getLong("history"));
    }
  }

  /** To be called after the servers have ended. */
  @Override
  public void close() throws IOException, SQLException {
    poolers.forEach(PgBouncer::close);
    if (connection != null) {
      connection.close();
    }
    if (postgres != null) {
      postgres.close();
    }
    for (var directory : h2Directories) {
      try (var files = Files.list(directory)) {
        for (var file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }
}
