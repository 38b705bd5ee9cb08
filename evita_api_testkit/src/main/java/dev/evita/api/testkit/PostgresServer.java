// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A PostgreSQL of the operating system's package, for tests.
 *
 * <p>It listens on a free port of the loopback interface, keeps its files in a temporary directory
 * without fsync, and is stopped when the JVM ends: one per JVM. PostgreSQL refuses to run as root;
 * there it runs as the user {@code postgres} that the package made. Thread-safe.
 */
public final class PostgresServer {

  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
  private static final String USER = "postgres";

  private static @Nullable PostgresServer running;

  private final Path binaries;
  private final Path directory;
  private final int port;

  // Guarded by this.
  private @Nullable Connection owner;
  private int databases;

  private PostgresServer(Path binaries, Path directory, int port) {
    this.binaries = binaries;
    this.directory = directory;
    this.port = port;
  }

  /**
   * The server of this JVM, started by the first call.
   *
   * @throws TestAbortedException if PostgreSQL is not installed, with a warning on standard error
   */
  public static synchronized PostgresServer start() {
    if (running == null) {
      running = launch(newestBinaries().orElseThrow(PostgresServer::missing));
    }
    return running;
  }

  /** Makes an empty database and answers its JDBC URL, with user, without password. */
  public synchronized String createDatabase() {
    var name = "test" + ++databases;
    // Not by createdb: there are hundreds of them, and to start a process takes longer than the
    // rest.
    try (var statement = owner().createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create " + name, e);
    }
    return url(name);
  }

  private Connection owner() throws SQLException {
    var open = owner;
    if (open == null) {
      open = DriverManager.getConnection(url(USER));
      owner = open;
    }
    return open;
  }

  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + USER;
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  private static Optional<Path> newestBinaries() {
    if (!Files.isDirectory(PACKAGES)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(PACKAGES)) {
      return versions
          .filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
          .max(Comparator.comparingDouble(PostgresServer::version))
          .map(version -> version.resolve("bin"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Directories are named 16, or 9.6 in old packages. */
  private static double version(Path directory) {
    try {
      return Double.parseDouble(String.valueOf(directory.getFileName()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static TestAbortedException missing() {
    return SystemPrograms.missing(
        "PostgreSQL is not installed: no " + PACKAGES + "/*/bin/initdb",
        "everything that needs PostgreSQL",
        "postgresql");
  }

  private static PostgresServer launch(Path binaries) {
    try {
      var directory = Files.createTempDirectory("evita-postgres");
      var server = new PostgresServer(binaries, directory, freePort());
      Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "stop-postgres"));
      server.initialize();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void initialize() throws IOException {
    if (isRoot()) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      var owner = directory.getFileSystem().getUserPrincipalLookupService();
      Files.setOwner(directory, owner.lookupPrincipalByName(USER));
    }
    execute(
        "initdb",
        "-D",
        data(),
        "-U",
        USER,
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "--no-sync");
    execute("pg_ctl", "-D", data(), "-l", directory + "/log", "-w", "-o", options(), "start");
  }

  private String options() {
    return "-p "
        + port
        + " -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        + directory
        + " -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200";
  }

  private String data() {
    return directory + "/data";
  }

  private void stop() {
    try {
      execute("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
    } finally {
      TestFiles.delete(directory);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private void execute(String program, String... arguments) {
    var command = new ArrayList<String>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", USER, "--"));
    }
    command.add(binaries.resolve(program).toString());
    command.addAll(List.of(arguments));
    try {
      // Output goes to a file: pg_ctl's child would keep a pipe open for as long as it lives.
      var output = Files.createTempFile("evita-postgres", ".out");
      try {
        await(command, output);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await(List<String> command, Path output) throws IOException {
    var process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new IllegalStateException(
        String.join(" ", command) + " failed:\n" + Files.readString(output));
  }
}
