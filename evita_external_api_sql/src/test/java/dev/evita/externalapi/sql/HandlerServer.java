// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.tls.TlsOptions;
import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server of handlers over one of three databases, and a client of it. */
final class HandlerServer implements AutoCloseable {

  enum Database {
    H2,
    SQLITE,
    POSTGRES
  }

  private static final String TABLES =
      """
      create table users (id integer primary key, handle varchar(50) not null unique,
        name varchar(100) not null);
      insert into users values (1, 'johndoe', 'John'), (2, 'jane', 'Jane'), (3, 'a b', 'Blank');
      create table notes (id integer primary key, text varchar(200) not null);
      """;

  private final Path directory;
  private Engine engine;
  private final HttpClient client = HttpClient.newHttpClient();
  private UnaryOperator<SqlProvider> provider = UnaryOperator.identity();
  private SqlOptions.Builder options;
  private Limits limits = Limits.DEFAULT;
  private @Nullable ExternalApiServer server;

  private HandlerServer(Path directory, JdbcEngine engine) {
    this.directory = directory;
    this.engine = engine;
    this.options =
        SqlOptions.builder().handlers(directory("handlers")).handlersReload(Duration.ofMillis(50));
  }

  /** Opens a database with users and notes; its files are in the directory. */
  static HandlerServer over(Database database, Path directory) {
    var url =
        switch (database) {
          case H2 -> "jdbc:h2:mem:" + UUID.randomUUID();
          case SQLITE -> "jdbc:sqlite:" + created(directory).resolve("handlers.db");
          case POSTGRES -> PostgresServer.start().createDatabase();
        };
    var server = new HandlerServer(directory, JdbcEngine.open(url));
    server.db().script(TABLES);
    return server;
  }

  EngineDriver db() {
    return new EngineDriver(engine);
  }

  Path directory(String name) {
    return created(directory.resolve(name));
  }

  private static Path created(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file below the directory of this name. */
  HandlerServer file(String folder, String name, String text) {
    try {
      var file = directory(folder).resolve(name);
      Files.createDirectories(file.getParent());
      // Replaced at once, so that no reader sees a part of it.
      var part = directory.resolve("part");
      Files.writeString(part, text);
      Files.move(
          part,
          file,
          java.nio.file.StandardCopyOption.REPLACE_EXISTING,
          java.nio.file.StandardCopyOption.ATOMIC_MOVE);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  HandlerServer handler(String name, String text) {
    return file("handlers", name, text);
  }

  HandlerServer options(UnaryOperator<SqlOptions.Builder> change) {
    options = change.apply(options);
    return this;
  }

  HandlerServer limits(Limits changed) {
    limits = changed;
    return this;
  }

  HandlerServer program(UnaryOperator<SqlProvider> change) {
    provider = change;
    return this;
  }

  /** Replaces the engine by one around it. */
  HandlerServer engine(UnaryOperator<Engine> change) {
    engine = change.apply(engine);
    return this;
  }

  HandlerServer start() {
    return start(TlsOptions.NONE);
  }

  HandlerServer startWithTls() {
    return start(TlsOptions.builder().tlsSelfSigned(true).build());
  }

  private HandlerServer start(TlsOptions tls) {
    server =
        ExternalApiServer.over(engine)
            .withoutDiscovery()
            .options(ServerOptions.builder().port(0).limits(limits).tls(tls).build())
            .provider(provider.apply(new SqlProvider(options.build())))
            .start();
    return this;
  }

  ExternalApiServer server() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server;
  }

  URI uri(String target) {
    return URI.create(server().uri() + target);
  }

  HttpResponse<String> get(String target, String... headers) {
    return send("GET", target, null, headers);
  }

  HttpResponse<String> post(String target, String contentType, String body, String... headers) {
    var all = new String[headers.length + 2];
    System.arraycopy(headers, 0, all, 2, headers.length);
    all[0] = "Content-Type";
    all[1] = contentType;
    return send("POST", target, body, all);
  }

  HttpResponse<String> send(
      String method, String target, @Nullable String body, String... headers) {
    var request =
        HttpRequest.newBuilder(uri(target))
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    client.close();
    engine.close();
  }
}
