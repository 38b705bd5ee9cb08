// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

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
 * <p>It listens on a free port of the loopback interface, keeps its files in a temporary directory,
 * and is stopped when the JVM ends at the latest. {@link #start} returns the server shared by all
 * tests of a JVM, which does not force its files; {@link #separate} starts another one, for tests
 * that stop or suspend it. PostgreSQL refuses to run as root; then it runs as the user {@code
 * postgres} created by the package. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {

  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
  private static final String USER = "postgres";

  private static final boolean POOLED = "pooler".equals(System.getProperty("evita.postgres"));

  private static @Nullable PostgresServer running;

  private static final List<String> UNFORCED =
      List.of("fsync=off", "synchronous_commit=off", "full_page_writes=off");

  private final Path binaries;
  private final Path directory;
  private final int port;
  private final List<String> settings;
  private final Thread atExit = new Thread(this::remove, "stop-postgres");

  // Guarded by this.
  private @Nullable Connection owner;
  private int databases;

  private PostgresServer(Path binaries, Path directory, int port, List<String> settings) {
    this.binaries = binaries;
    this.directory = directory;
    this.port = port;
    this.settings = settings;
  }

  /**
   * Returns the server of this JVM, started by the first call.
   *
   * @throws TestAbortedException if PostgreSQL is not installed, with a warning on standard error
   */
  public static synchronized PostgresServer start() {
    if (running == null) {
      running = launch(temporaryDirectory(), UNFORCED);
    }
    return running;
  }

  /**
   * Starts a separate server, which the caller closes.
   *
   * @param settings as in {@code postgresql.conf}, such as {@code fsync=off}; without any, the
   *     defaults, by which commits are forced
   * @throws TestAbortedException if PostgreSQL is not installed, with a warning on standard error
   */
  public static PostgresServer separate(String... settings) {
    return launch(temporaryDirectory(), List.of(settings));
  }

  /**
   * Starts a separate server in this directory, which must exist and be empty.
   *
   * @see #separate(String...)
   */
  public static PostgresServer separate(Path directory, String... settings) {
    return launch(directory, List.of(settings));
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("evita-postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Creates an empty database and returns its JDBC URL, with user, without password. The URL of the
   * JVM's server is by way of {@link PgBouncer} if the system property {@code evita.postgres} is
   * {@code pooler}.
   */
  public synchronized String createDatabase() {
    var url = createOwnDatabase();
    // Tests also open connections of their own, by the driver's defaults.
    return POOLED && equals(start()) ? PgBouncer.required().url(url) + "&prepareThreshold=0" : url;
  }

  /** Whether URLs of {@link #createDatabase} are by way of a pooler. */
  public static boolean isPooled() {
    return POOLED;
  }

  private String createOwnDatabase() {
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
    if (open == null || !open.isValid(1)) {
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

  private static PostgresServer launch(Path directory, List<String> settings) {
    var binaries = newestBinaries().orElseThrow(PostgresServer::missing);
    try {
      var server = new PostgresServer(binaries, directory, freePort(), settings);
      Runtime.getRuntime().addShutdownHook(server.atExit);
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
    startAgain();
  }

  private String options() {
    var options = new StringBuilder("-p " + port);
    options.append(" -c listen_addresses=127.0.0.1 -c unix_socket_directories=").append(directory);
    options.append(" -c max_connections=200");
    settings.forEach(setting -> options.append(" -c ").append(setting));
    return options.toString();
  }

  private String data() {
    return directory + "/data";
  }

  /** Starts it on the same port and files after {@link #shutDown} or {@link #kill}. */
  public void startAgain() {
    execute("pg_ctl", "-D", data(), "-l", directory + "/log", "-w", "-o", options(), "start");
  }

  /** Whether its main process is running. */
  public boolean isRunning() {
    return Files.exists(pidFile()) && !processes().isEmpty();
  }

  private Path pidFile() {
    return Path.of(data(), "postmaster.pid");
  }

  /** Stops it and ends all connections; uncommitted changes are rolled back. */
  public void shutDown() {
    execute("pg_ctl", "-D", data(), "-m", "fast", "-w", "stop");
  }

  /** Kills all its processes by SIGKILL and returns once they have ended. */
  public void kill() {
    // Suspended first, so that the main process starts no other meanwhile.
    suspend();
    var processes = processes();
    signal("KILL", processes);
    processes.forEach(each -> each.onExit().orTimeout(60, TimeUnit.SECONDS).join());
  }

  /** Suspends all its processes by SIGSTOP: the kernel still accepts connections. */
  public void suspend() {
    var processes = processes();
    // The main process starts the others.
    signal("STOP", processes.subList(0, 1));
    signal("STOP", processes());
  }

  /** Resumes all its processes. */
  public void resume() {
    signal("CONT", processes());
  }

  /**
   * Suspends one process that serves a connection, by its {@code pg_backend_pid()}; {@link #resume}
   * resumes it.
   */
  public void suspend(int backend) {
    signal("STOP", ProcessHandle.of(backend).stream().toList());
  }

  /** Returns the main process, whose children serve the connections; empty if it is not running. */
  public Optional<ProcessHandle> process() {
    try {
      return ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile()).getFirst()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The main process, and its child processes. */
  private List<ProcessHandle> processes() {
    var processes = new ArrayList<ProcessHandle>();
    process()
        .ifPresent(handle -> {
          processes.add(handle);
          handle.descendants().forEach(processes::add);
        });
    return processes;
  }

  private static void signal(String name, List<ProcessHandle> processes) {
    if (processes.isEmpty()) {
      return;
    }
    var command = new ArrayList<>(List.of("kill", "-" + name));
    processes.forEach(each -> command.add(String.valueOf(each.pid())));
    try {
      // Its status is irrelevant: a process may have ended meanwhile.
      new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stops it and removes its files. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    remove();
  }

  private void remove() {
    try {
      if (isRunning()) {
        resume();
        execute("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
      }
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
