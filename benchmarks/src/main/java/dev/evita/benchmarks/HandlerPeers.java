// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers that the handler in SQL is compared with, and ours, over one PostgreSQL, by TCP on
 * loopback or by its UNIX socket. PostgreSQL may use both cores.
 */
final class HandlerPeers {

  private static final Path DIRECTORY = Path.of("candidates", "handlers");
  private static @Nullable HandlerPeers opened;

  private final PostgresServer postgres;
  private final Path sockets;
  private final String url;

  private HandlerPeers(PostgresServer postgres, Path sockets, String url) {
    this.postgres = postgres;
    this.sockets = sockets;
    this.url = url;
  }

  /** The database, made by the first call; it ends with the JVM. */
  private static synchronized HandlerPeers open() throws IOException, SQLException {
    var known = opened;
    if (known == null) {
      var sockets =
          Files.createTempDirectory(
              "evita-pg",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxrwx")));
      Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwxrwxrwx"));
      var postgres = PostgresServer.separate("fsync=off", "unix_socket_directories=" + sockets);
      var url = postgres.createDatabase();
      try (var connection = DriverManager.getConnection(url);
          var statement = connection.createStatement()) {
        statement.execute(HandlerServer.users("generate_series(1, 100000) numbers(n)"));
        statement.execute("analyze users");
      }
      known = new HandlerPeers(postgres, sockets, url);
      opened = known;
    }
    return known;
  }

  private String database() {
    return url.replaceAll(".*/([a-z0-9]+)\\?.*", "$1");
  }

  /** This server over PostgreSQL. */
  static ServerProcess evita(boolean socket) throws IOException, SQLException {
    var peers = open();
    var factory =
        "&socketFactory=org.newsclub.net.unix.AFUNIXSocketFactory$FactoryArg&socketFactoryArg="
            + peers.sockets
            + "/.s.PGSQL."
            + peers.postgres.port();
    var options = new ArrayList<>(ServerProcess.HEAP);
    var url = socket ? peers.url.replace("127.0.0.1", "localhost") + factory : peers.url;
    options.add("-Ddatabase=" + url);
    options.add("--enable-native-access=ALL-UNNAMED");
    return ServerProcess.ours(HandlerServer.OnPostgres.class, ServerProcess.Cores.FIRST, options);
  }

  /**
   * Node.js and pg.
   *
   * @throws IOException if its packages were not installed
   */
  static ServerProcess node(boolean socket) throws IOException, SQLException {
    var directory = DIRECTORY.resolve("node").toAbsolutePath();
    var node = directory.resolve("node_modules/.bin/node");
    if (Files.notExists(node)) {
      throw new IOException(node + " is missing; install it: (cd " + directory + " && npm ci)");
    }
    var peers = open();
    var port = ServerProcess.freePort();
    return ServerProcess.program(
        port,
        ServerProcess.Cores.FIRST,
        node,
        List.of(
            directory.resolve("server.mjs").toString(),
            String.valueOf(port),
            socket ? peers.sockets.toString() : "127.0.0.1",
            String.valueOf(peers.postgres.port()),
            peers.database()));
  }

  /**
   * Go's net/http and pgx, built for this.
   *
   * @throws IOException if it does not build
   */
  static ServerProcess go() throws IOException, SQLException, InterruptedException {
    var directory = DIRECTORY.resolve("go").toAbsolutePath();
    var program = Files.createTempDirectory("evita-go").resolve("handlers");
    var build =
        new ProcessBuilder("go", "build", "-o", program.toString(), ".")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    var said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (build.waitFor() != 0) {
      throw new IOException("go build: " + said);
    }
    var peers = open();
    var port = ServerProcess.freePort();
    var database =
        "postgres://postgres@127.0.0.1:" + peers.postgres.port() + "/" + peers.database();
    return ServerProcess.program(
        port,
        ServerProcess.Cores.FIRST,
        program,
        List.of(String.valueOf(port), database + "?sslmode=disable"));
  }
}
