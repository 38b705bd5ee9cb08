// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A PgBouncer of the operating system's package in front of {@link PostgresServer#start}, for
 * tests: a pooler that assigns a server connection to each transaction, five to each database.
 *
 * <p>It listens on a free port of the loopback interface and is stopped when the JVM ends at the
 * latest. {@link #start} returns the pooler shared by all tests of a JVM. PgBouncer refuses to run
 * as root; then it runs as the user {@code postgres}. Thread-safe.
 */
public final class PgBouncer implements AutoCloseable {

  private static final String USER = "postgres";
  private static final Pattern SERVER = Pattern.compile("//127\\.0\\.0\\.1:[0-9]+/");

  /** A single client needs several connections of the server, and many databases share it. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "pool_mode", "transaction",
          "default_pool_size", "5",
          "max_client_conn", "1000",
          "server_idle_timeout", "3",
          "server_login_retry", "1",
          "auth_type", "trust");

  private static @Nullable PgBouncer running;

  private final Path directory;
  private final int port;
  private final Process process;
  private final Thread atExit = new Thread(this::remove, "stop-pgbouncer");

  private PgBouncer(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  /**
   * Returns the pooler of this JVM, started by the first call.
   *
   * @throws TestAbortedException if PgBouncer or PostgreSQL is not installed, with a warning on
   *     standard error
   */
  public static synchronized PgBouncer start() {
    if (running == null) {
      running = separate();
    }
    return running;
  }

  /** The same for a run of tests that is about the pooler: it fails without. */
  static PgBouncer required() {
    try {
      return start();
    } catch (TestAbortedException e) {
      throw new IllegalStateException(
          "-Devita.postgres=pooler requires PgBouncer; apt-get install pgbouncer", e);
    }
  }

  /**
   * Starts a separate pooler, which the caller closes.
   *
   * @param settings as in {@code pgbouncer.ini}, such as {@code default_pool_size=1}
   * @throws TestAbortedException see {@link #start}
   */
  public static PgBouncer separate(String... settings) {
    return separate(PostgresServer.start(), settings);
  }

  /** The same in front of another server. */
  public static PgBouncer separate(PostgresServer server, String... settings) {
    var program = SystemPrograms.find("pgbouncer", "connection poolers", "pgbouncer");
    var all = new LinkedHashMap<>(DEFAULTS);
    for (var setting : settings) {
      var parts = setting.split("=", 2);
      all.put(parts[0], parts[1]);
    }
    try {
      return launch(program, server, all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PgBouncer launch(Path program, PostgresServer server, Map<String, String> settings)
      throws IOException {
    var directory = Files.createTempDirectory("evita-pgbouncer");
    var port = freePort();
    var users = directory.resolve("users");
    Files.writeString(users, "\"" + USER + "\" \"\"\n");
    var file = new StringBuilder("[databases]\n");
    // Users other than this one are looked up in the server.
    file.append("* = host=127.0.0.1 auth_user=").append(USER);
    file.append(" port=").append(server.port());
    file.append("\n[pgbouncer]\nlisten_addr = 127.0.0.1\nunix_socket_dir =\n");
    file.append("listen_port = ").append(port).append('\n');
    file.append("auth_file = ").append(users).append('\n');
    settings.forEach((key, value) -> file.append(key + " = " + value + "\n"));
    var configuration = Files.writeString(directory.resolve("pgbouncer.ini"), file);
    var command = new ArrayList<String>();
    if ("root".equals(System.getProperty("user.name"))) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      command.addAll(List.of("runuser", "-u", USER, "--"));
    }
    command.addAll(List.of(program.toString(), configuration.toString()));
    var log = directory.resolve("log");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    var pooler = new PgBouncer(directory, port, process);
    Runtime.getRuntime().addShutdownHook(pooler.atExit);
    pooler.awaitPort(log);
    return pooler;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitPort(Path log) throws IOException {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        if (socket.isConnected()) {
          return;
        }
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() - deadline > 0) {
          var output = Files.readString(log);
          close();
          throw new IllegalStateException("pgbouncer did not start:\n" + output, e);
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /**
   * Creates an empty database in {@link PostgresServer#start} and returns its JDBC URL by way of
   * the pooler.
   */
  public String createDatabase() {
    return url(PostgresServer.start().createDatabase());
  }

  /** Returns the URL by way of the pooler of a database of its server. */
  public String url(String serverUrl) {
    return SERVER.matcher(serverUrl).replaceFirst("//127.0.0.1:" + port + "/");
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /** Ends it, and all connections with it. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    remove();
  }

  private void remove() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().orTimeout(60, TimeUnit.SECONDS).join();
    TestFiles.delete(directory);
  }
}
