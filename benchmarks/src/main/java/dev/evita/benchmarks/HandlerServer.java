// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.sql.SqlOptions;
import dev.evita.externalapi.sql.SqlProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.util.UUID;

/** A handler in SQL that reads a user by the handle, over 100,000 users. */
final class HandlerServer {

  private static final String HELLO =
      """
      -- route: GET /users/:handle
      select 'text/html' as content_type, 'Hello, <b>' || users.name || '</b>!' as body
        from request join users on users.handle = request.handle
      """;

  private HandlerServer() {}

  /**
   * The script that makes the table.
   *
   * @param numbers the database's table of the numbers {@code n} from 1 to 100,000
   */
  static String users(String numbers) {
    return """
    create table users (id integer primary key, handle varchar(50) not null unique,
      name varchar(100) not null);
    insert into users select n, 'u' || n, 'Name ' || n from %s;
    """
        .formatted(numbers);
  }

  public static void main(String[] arguments) throws IOException {
    var unused = start(arguments, embedded(), 1);
  }

  private static JdbcEngine embedded() {
    var engine = JdbcEngine.open("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    new EngineDriver(engine).script(users("system_range(1, 100000) numbers(n)"));
    engine.refresh();
    return engine;
  }

  /** Starts the handler over H2 in this process; the caller closes the server. */
  static ExternalApiServer start() throws IOException {
    return start(new String[] {"0"}, embedded(), 1);
  }

  private static ExternalApiServer start(String[] arguments, JdbcEngine engine, int routes)
      throws IOException {
    var directory = Files.createTempDirectory("evita-handlers");
    Files.writeString(directory.resolve("hello.sql"), HELLO);
    for (int i = 1; i < routes; i++) {
      Files.writeString(
          directory.resolve("other" + i + ".sql"),
          "-- route: GET /users/:handle/other" + i + "\nselect handle as body from request");
    }
    var options =
        ServerOptions.builder()
            .port(Integer.parseInt(arguments[0]))
            .ioThreads(Integer.getInteger("io.threads", 2))
            .build();
    return ExternalApiServer.over(engine)
        .options(options)
        .withoutDiscovery()
        .provider(new SqlProvider(SqlOptions.builder().handlers(directory).build()))
        .start();
  }

  /** The same beside 999 other routes. */
  static final class ManyRoutes {

    private ManyRoutes() {}

    public static void main(String[] arguments) throws IOException {
      var unused = start(arguments, embedded(), 1_000);
    }
  }

  /** The same over PostgreSQL, by the JDBC URL in the system property {@code database}. */
  static final class OnPostgres {

    private OnPostgres() {}

    public static void main(String[] arguments) throws IOException {
      var options = JdbcOptions.builder().poolSize(10).build();
      var unused = start(arguments, JdbcEngine.open(System.getProperty("database"), options), 1);
    }
  }
}
