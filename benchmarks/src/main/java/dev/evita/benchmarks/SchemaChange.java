// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * How long it takes from a statement that changes the schema, said by another connection than the
 * server's, to the first answer of the changed API, on databases of many tables and under load.
 *
 * <p>Arguments: tables, changes per database, threads that ask all the while.
 */
final class SchemaChange {

  private static final String COLUMNS =
      "code varchar(20) not null unique, name varchar(100) not null, note varchar(500),"
          + " amount numeric(12, 2), stock int not null, active boolean not null,"
          + " rating double precision, created timestamp, parent_id int";
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(2);

  private final String name;
  private final String url;
  private final int tables;
  private final int changes;
  private final int threads;

  private SchemaChange(String name, String url, int[] arguments) {
    this.name = name;
    this.url = url;
    this.tables = arguments[0];
    this.changes = arguments[1];
    this.threads = arguments[2];
  }

  public static void main(String[] arguments)
      throws IOException, SQLException, InterruptedException {
    var numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
    System.out.printf(
        Locale.ROOT, "%n| database of %d tables | change | median | slowest |%n", numbers[0]);
    System.out.println("|---|---|---|---|");
    new SchemaChange("H2", "jdbc:h2:mem:" + UUID.randomUUID(), numbers).measure();
    var file = Files.createTempFile("evita-schema-change", ".db");
    new SchemaChange("SQLite", "jdbc:sqlite:" + file, numbers).measure();
    for (var suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(Path.of(file + suffix));
    }
  }

  private void measure() throws IOException, SQLException, InterruptedException {
    try (var ddl = DriverManager.getConnection(url)) {
      create(ddl);
      try (var engine = JdbcEngine.open(url);
          var server = ExternalApiServer.over(engine).start()) {
        var load = load(server.port());
        try {
          changes(ddl, server.port());
        } finally {
          load.forEach(Thread::interrupt);
        }
        for (var thread : load) {
          thread.join();
        }
      }
    }
  }

  /** Each table but the first refers to the one before it. */
  private void create(Connection ddl) throws SQLException {
    for (int i = 0; i < tables; i++) {
      execute(
          ddl,
          "create table t%s (id int primary key, %s%s)"
              .formatted(
                  String.valueOf(i),
                  COLUMNS,
                  i == 0 ? "" : ", foreign key (parent_id) references t" + (i - 1) + " (id)"));
    }
    execute(
        ddl, "insert into t1 (id, code, name, stock, active) values (1, 'A', 'First', 1, true)");
  }

  private void changes(Connection ddl, int port) throws IOException, SQLException {
    var added = new ArrayList<Long>();
    var altered = new ArrayList<Long>();
    var dropped = new ArrayList<Long>();
    for (int i = 0; i <= changes; i++) {
      var table = "fresh" + i;
      var warm = i > 0;
      record(
          added, warm, port, ddl, "create table " + table + " (id int)", table + " { id }", true);
      record(
          altered,
          warm,
          port,
          ddl,
          "alter table " + table + " add column more int",
          table + " { more }",
          true);
      record(dropped, warm, port, ddl, "drop table " + table, table + " { id }", false);
    }
    print("table added", added);
    print("column added", altered);
    print("table dropped", dropped);
  }

  private static void record(
      List<Long> into,
      boolean warm,
      int port,
      Connection ddl,
      String statement,
      String field,
      boolean there)
      throws IOException, SQLException {
    try (var client = new KeepAliveClient(port, HttpProbe.graphQl("{ " + field + " }"))) {
      execute(ddl, statement);
      var start = System.nanoTime();
      while (served(client) != there) {
        if (System.nanoTime() - start > PATIENCE) {
          throw new IOException("not served: " + statement + "; " + client.text());
        }
        LockSupport.parkNanos(LOOK_AGAIN);
      }
      if (warm) {
        into.add(System.nanoTime() - start);
      }
    }
  }

  private static boolean served(KeepAliveClient client) throws IOException {
    client.send();
    return client.text().startsWith("{\"data\"");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<Thread> load(int port) {
    var failed = new AtomicLong();
    var load = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      load.add(Thread.ofPlatform().start(() -> ask(port, failed)));
    }
    return load;
  }

  private static void ask(int port, AtomicLong failed) {
    try (var client =
        new KeepAliveClient(port, HttpProbe.graphQl("{ t1 { id name children: t2 { id } } }"))) {
      while (!Thread.currentThread().isInterrupted()) {
        client.send();
        LockSupport.parkNanos(LOOK_AGAIN);
      }
    } catch (IOException e) {
      failed.incrementAndGet();
    }
  }

  private void print(String change, List<Long> nanos) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.0f ms | %.0f ms |%n",
        name,
        change,
        Median.of(nanos) / 1e6,
        Collections.max(nanos) / 1e6);
  }
}
