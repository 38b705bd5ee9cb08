// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A database whose schema changes under a server, and the server. */
public final class ChangingDatabase implements AutoCloseable {

  private final String kind;
  private String url;
  private Connection database;
  private final List<JdbcEngine> engines = new ArrayList<>();
  private ExternalApiServer server;

  /**
   * Opens a new one with a table.
   *
   * @param kind {@code h2}, {@code sqlite} or {@code postgresql}
   */
  public ChangingDatabase(String kind, Path directory, String... script) throws SQLException {
    this.kind = kind;
    this.url =
        switch (kind) {
          case "h2" -> "jdbc:h2:" + directory.resolve("shop") + ";AUTO_SERVER=FALSE";
          case "sqlite" -> "jdbc:sqlite:" + directory.resolve("shop.db");
          default -> PostgresServer.start().createDatabase();
        };
    this.database = DriverManager.getConnection(url);
    execute(script);
    this.server = another();
  }

  /** The schema that all tables are in, by its package's name. */
  public String schema() {
    return kind.equals("sqlite") ? "main" : "public";
  }

  public int port() {
    return server.port();
  }

  public ExternalApiServer server() {
    return server;
  }

  /** One more server, over an engine of its own; its caller's to close. */
  public ExternalApiServer another() {
    var engine = JdbcEngine.open(url);
    synchronized (engines) {
      engines.add(engine);
    }
    return ExternalApiServer.over(engine).provider(new GrpcProvider()).withoutDiscovery().start();
  }

  public void execute(String... script) throws SQLException {
    try (var statement = database.createStatement()) {
      for (var sql : script) {
        statement.execute(sql);
      }
    }
  }

  /** Changes the schema, which the server notices at once. */
  public void change(String... script) throws SQLException {
    execute(script);
    server.refresh();
  }

  /** Changes the schema while no server runs. */
  public void restartAfter(String... script) throws SQLException {
    stop();
    if (kind.equals("h2")) {
      database.close();
      database = DriverManager.getConnection(url);
    }
    execute(script);
    server = another();
  }

  /** Makes the database read-only, except for {@link #execute}. */
  public void restartReadOnly() throws SQLException {
    assumeFalse(
        kind.equals("postgresql") && PostgresServer.isPooled(),
        "the connections that a pooler has keep the settings that they began with");
    stop();
    if (kind.equals("sqlite")) {
      url = url.replace("jdbc:sqlite:", "jdbc:sqlite:file:") + "?mode=ro";
    } else {
      execute(
          "alter database " + database.getCatalog() + " set default_transaction_read_only = on");
    }
    server = another();
  }

  private void stop() {
    server.close();
    engines.forEach(JdbcEngine::close);
    engines.clear();
  }

  /** The first column of the first row. */
  public String read(String sql) throws SQLException {
    try (var statement = database.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** In lower case. */
  public List<String> tables() throws SQLException {
    var names = new ArrayList<String>();
    try (var rows = database.getMetaData().getTables(null, null, "%", null)) {
      while (rows.next()) {
        names.add(rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  @Override
  public void close() throws SQLException {
    stop();
    database.close();
  }
}
