// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.sql.HandlerServer.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The threads of handlers: of their reloader, and of the client of upstreams. */
@Timeout(60)
final class HandlerLifetimeIT {

  @TempDir private Path directory;
  private Set<Thread> before = Set.of();

  @BeforeEach
  void note() {
    before = threads();
  }

  private static Set<Thread> threads() {
    var all = new HashSet<>(Thread.getAllStackTraces().keySet());
    all.removeIf(thread ->
        !thread.getName().equals("evita-handlers")
            && !thread.getName().endsWith("-SelectorManager"));
    return all;
  }

  private Set<Thread> begun() {
    var begun = threads();
    begun.removeAll(before);
    return begun;
  }

  private SqlProvider provider() {
    return new SqlProvider(
        SqlOptions.builder()
            .handlers(directory)
            .upstreams(Map.of("up", "http://127.0.0.1:1/"))
            .build());
  }

  @Test
  void start_onTakenPort_leavesNoThread() throws IOException {
    try (var engine = JdbcEngine.open("jdbc:h2:mem:" + UUID.randomUUID());
        var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var options = ServerOptions.builder().port(taken.getLocalPort()).build();
      var server =
          ExternalApiServer.over(engine).withoutDiscovery().options(options).provider(provider());

      assertThatThrownBy(server::start).isInstanceOf(EvitaException.class);

      await().until(() -> begun().isEmpty());
    }
  }

  @Test
  void start_withFaultyHandler_leavesNoThread() throws IOException {
    Files.writeString(directory.resolve("a.sql"), "select nothing from nowhere");
    try (var engine = JdbcEngine.open("jdbc:h2:mem:" + UUID.randomUUID())) {
      var server =
          ExternalApiServer.over(engine)
              .withoutDiscovery()
              .options(ServerOptions.builder().port(0).build())
              .provider(provider())
              .provider(provider());

      assertThatThrownBy(server::start)
          .isInstanceOfSatisfying(
              EvitaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));

      await().until(() -> begun().isEmpty());
    }
  }

  /** One reloader, and one client from the first request to an upstream on. */
  @Test
  void epochs_shareThreads_whichEndWithTheServer() throws IOException {
    var upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    upstream.start();
    var server = HandlerServer.over(Database.H2, directory);
    before = threads(); // with those of its client
    try (server) {
      var url = "http://127.0.0.1:" + upstream.getAddress().getPort();
      server
          .options(options -> options.upstreams(Map.of("up", url)))
          .handler("up.sql", "-- route: GET /up\nselect 'up' as upstream")
          .start();
      for (int i = 0; i < 3; i++) {
        server.db().script("create table t" + i + " (id integer primary key)");
        server.server().refresh();
      }
      assertThat(begun()).extracting(Thread::getName).containsExactly("evita-handlers");
      for (int i = 3; i < 6; i++) {
        assertThat(server.get("/up").statusCode()).isEqualTo(204);
        server.db().script("create table t" + i + " (id integer primary key)");
        server.server().refresh();
      }
      assertThat(server.get("/up").statusCode()).isEqualTo(204);
      assertThat(begun()).hasSize(2);
    } finally {
      upstream.stop(0);
    }
    await().until(() -> begun().isEmpty());
  }
}
