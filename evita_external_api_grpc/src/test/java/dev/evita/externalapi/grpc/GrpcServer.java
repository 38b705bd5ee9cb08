// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.testsupport.PostgresServer;
import dev.evita.testsupport.SqliteFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** A database of its own, served over a real socket. */
final class GrpcServer implements AutoCloseable {

  private final String url;
  private final JdbcEngine engine;
  private final ExternalApiServer server;

  private GrpcServer(String url, ServerOptions options) {
    this.url = url;
    this.engine = JdbcEngine.open(url);
    this.server =
        ExternalApiServer.over(engine)
            .options(options)
            .provider(new GrpcProvider())
            .withoutDiscovery()
            .start();
  }

  /**
   * Makes a database and serves it.
   *
   * @param kind {@code h2}, {@code sqlite} or {@code postgresql}
   * @param script statements with a semicolon at the end of a line after each
   */
  static GrpcServer over(String kind, String script) {
    return over(kind, script, ServerOptions.DEFAULT);
  }

  static GrpcServer over(String kind, String script, ServerOptions options) {
    try {
      var url =
          switch (kind) {
            case "h2" -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            case "sqlite" -> SqliteFile.newUrl();
            default -> PostgresServer.start().createDatabase();
          };
      try (var connection = DriverManager.getConnection(url)) {
        execute(connection, script);
      }
      return new GrpcServer(url.replace(";DB_CLOSE_DELAY=-1", ""), options);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(Connection connection, String script) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var each : script.split(";\n", -1)) {
        if (!each.isBlank()) {
          statement.execute(each);
        }
      }
    }
  }

  /** Changes the database past Evita, which then reads its schema again. */
  void change(String script) throws SQLException {
    try (var connection = DriverManager.getConnection(url)) {
      execute(connection, script);
    }
    server.refresh();
  }

  int port() {
    return server.port();
  }

  URI uri() {
    return server.uri();
  }

  /** The body of a GET. */
  String get(String path) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(server.uri().resolve(path)).build();
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  @Override
  public void close() {
    server.close();
    engine.close();
  }
}
