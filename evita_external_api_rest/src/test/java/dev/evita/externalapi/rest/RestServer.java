// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Engine;
import dev.evita.api.testkit.AsynchronousEngine;
import dev.evita.api.testkit.CountingEngine;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.testsupport.PostgresServer;
import dev.evita.testsupport.ShopRoutines;
import dev.evita.testsupport.SqliteFile;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A small shop on a real database, served over a real socket. */
public final class RestServer implements AutoCloseable {

  /** What makes the shop: the same on all databases. */
  public static final String SHOP =
      """
      create table brands (id int primary key, name varchar(50) not null, founded int);
      create table categories (
        id int primary key, parent_id int references categories (id), name varchar(50) not null);
      create table products (
        id int primary key,
        brand_id int references brands (id),
        name varchar(50) not null,
        price numeric(10, 2),
        stock int,
        active boolean not null,
        added timestamp);
      create table prices (
        product_id int not null references products (id), currency varchar(3) not null,
        amount numeric(10, 2) not null, primary key (product_id, currency));
      create table tags (id int primary key, name varchar(50) not null);
      create table product_tags (
        product_id int not null references products (id), tag_id int not null references tags (id),
        primary key (product_id, tag_id));
      create table trips (
        id int primary key,
        home_id int not null references brands (id), away_id int not null references brands (id));
      insert into brands values (1, 'Acme', 1920), (2, 'Borg', 2365), (3, 'Zeta', null);
      insert into categories values (1, null, 'All'), (2, 1, 'Tools'), (3, 2, 'Hand tools');
      insert into products values
        (1, 1, 'Anvil', 99.90, 5, true, '2026-01-31 13:45:00'),
        (2, 1, 'Rope', 9.50, 100, true, null),
        (3, 2, 'Cube', 1000.00, 1, true, null),
        (4, null, '100% wool, "soft"', null, null, false, null);
      insert into prices values (1, 'EUR', 95.00), (1, 'USD', 105.00), (2, 'EUR', 9.00);
      insert into tags values (1, 'new'), (2, 'sale'), (3, 'heavy');
      insert into product_tags values (1, 2), (1, 3), (2, 2), (3, 1);
      insert into trips values (1, 1, 2), (2, 2, 3);
      """;

  private final String url;
  private final UnaryOperator<Engine> over;
  private final CountingEngine engine;
  private final ExternalApiServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private RestServer(
      String url, UnaryOperator<Engine> over, ServerOptions options, RestOptions rest) {
    this.url = url;
    this.over = over;
    this.engine = new CountingEngine(over.apply(JdbcEngine.open(url)));
    this.server =
        ExternalApiServer.over(engine).options(options).provider(new RestProvider(rest)).start();
  }

  /**
   * The shop on {@code h2}, {@code sqlite} or {@code postgresql}; or {@code later}, which is an H2
   * whose engine is asynchronous.
   */
  public static RestServer shop(String kind) {
    return over(kind, SHOP, Limits.DEFAULT);
  }

  /** The shop on an H2, with a wrapper of its engine. */
  public static RestServer shop(UnaryOperator<Engine> over, ServerOptions options) {
    return open("h2", SHOP, over, options);
  }

  /** What makes the routines of the shop, on a database that has some. */
  public static String routines(String kind) {
    return kind.equals("postgresql") ? ShopRoutines.ofPostgres() : ShopRoutines.ofH2();
  }

  public static RestServer over(String kind, String script, Limits limits) {
    return over(kind, script, ServerOptions.builder().limits(limits).build());
  }

  public static RestServer over(String kind, String script, ServerOptions options) {
    return open(
        kind,
        script,
        kind.equals("later") ? AsynchronousEngine::new : UnaryOperator.identity(),
        options);
  }

  private static RestServer open(
      String kind, String script, UnaryOperator<Engine> over, ServerOptions options) {
    try {
      var url =
          switch (kind) {
            case "h2", "later" -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            case "sqlite" -> SqliteFile.newUrl();
            default -> PostgresServer.start().createDatabase();
          };
      try (var connection = DriverManager.getConnection(url);
          var statement = connection.createStatement()) {
        for (var each : script.split(";\n", -1)) {
          if (!each.isBlank()) {
            statement.execute(each);
          }
        }
      }
      return new RestServer(
          url.replace(";DB_CLOSE_DELAY=-1", ""), over, options, RestOptions.DEFAULT);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends, and begins anew on the same database. */
  public RestServer restarted(RestOptions options) {
    close();
    return new RestServer(url, over, ServerOptions.DEFAULT, options);
  }

  /** The same with other options of the server. */
  public RestServer restarted(ServerOptions options) {
    close();
    return new RestServer(url, over, options, RestOptions.DEFAULT);
  }

  /**
   * Sends a body of JSON.
   *
   * @param target the path below the API's; its query needs no escapes
   */
  public HttpResponse<String> write(String method, String target, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(escapedUri(target))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request.build());
  }

  /** A way to the database past Evita. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  /** How many operations were run. */
  public int operations() {
    return engine.operations().get();
  }

  /** Reads the schema again. */
  public void refresh() {
    server.refresh();
  }

  public URI uri(String target) {
    return URI.create(server.uri() + "/rest" + target);
  }

  /** The same for a target whose query has blanks or quotes. */
  public URI escapedUri(String target) {
    return uri(escaped(target));
  }

  /**
   * Sends a GET with these headers.
   *
   * @param target the path below the API's; blanks and quotes in its query need no escapes
   */
  public HttpResponse<String> send(String method, String target, String... headers) {
    var request =
        HttpRequest.newBuilder(escapedUri(target))
            .method(method, HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request.build());
  }

  /** The response to a GET of a URL from a header, which is escaped already. */
  public HttpResponse<String> follow(String target) {
    return send(HttpRequest.newBuilder(uri(target)).build());
  }

  public HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The body of a GET. */
  public String get(String target, String... headers) {
    return send("GET", target, headers).body();
  }

  /** The whole response to a GET of exactly these characters, which need not be a URL. */
  public String raw(String target) {
    try (var socket = new Socket(server.uri().getHost(), server.port())) {
      var head = "GET /rest" + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String escaped(String target) {
    var question = target.indexOf('?');
    if (question < 0) {
      return target;
    }
    return target.substring(0, question + 1)
        + Stream.of(target.substring(question + 1).split("&", -1))
            .map(RestServer::escapedParameter)
            .collect(Collectors.joining("&"));
  }

  private static String escapedParameter(String parameter) {
    var equals = parameter.indexOf('=');
    return equals < 0
        ? encoded(parameter)
        : encoded(parameter.substring(0, equals)) + '=' + encoded(parameter.substring(equals + 1));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.shutdownNow(); // else the server waits for a moment for clients of HTTP/2 to leave
    server.close();
    engine.close();
  }
}
