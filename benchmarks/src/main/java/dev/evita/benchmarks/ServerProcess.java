// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.api.testkit.PostgresServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server to be measured, in a process of its own on core 0. Whoever started it closes it. */
final class ServerProcess implements AutoCloseable {

  private static final Path CANDIDATES = Path.of("candidates");
  private static final Path SCRIPT = Path.of("src/main/resources/dev/evita/benchmarks/shop.sql");
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private final Process process;
  private final int port;

  private ServerProcess(int port, List<String> command) throws IOException {
    this.port = port;
    this.process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    awaitListening();
  }

  /** A main class of this module, which takes the port. */
  static ServerProcess ours(Class<?> main) throws IOException {
    var port = freePort();
    var classPath = System.getProperty("java.class.path");
    return new ServerProcess(port, java(classPath, main.getName(), String.valueOf(port)));
  }

  /**
   * A candidate in Java, which takes the port and the shop's script.
   *
   * @throws IOException if it was not built
   */
  static ServerProcess candidate(String module, String main) throws IOException {
    var target = CANDIDATES.resolve(module).resolve("target");
    if (Files.notExists(target.resolve("classpath"))) {
      throw new IOException(
          target
              + "/classpath is missing; build it: mvn -pl benchmarks/candidates/"
              + module
              + " -am process-classes");
    }
    var classPath = target.resolve("classes") + ":" + Files.readString(target.resolve("classpath"));
    var port = freePort();
    return new ServerProcess(
        port, java(classPath, main, String.valueOf(port), SCRIPT.toAbsolutePath().toString()));
  }

  /** The server as users start it, with options of the JVM. */
  static ServerProcess evita(String url, List<String> options, String... more) throws IOException {
    var port = freePort();
    var arguments = new ArrayList<>(List.of("serve", "--db", url, "--port", "" + port));
    arguments.addAll(List.of(more));
    var main = "dev.evita.server.Main";
    return new ServerProcess(port, javaHere(main, options, arguments.toArray(new String[0])));
  }

  /** The command that runs a main class of this class path on core 0. */
  static List<String> javaHere(String main, List<String> options, String... arguments) {
    var command = new ArrayList<>(List.of("taskset", "-c", "0"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<String> java(String classPath, String main, String... arguments) {
    var command = new ArrayList<>(List.of("taskset", "-c", "0"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms512m", "-Xmx512m", "-Dio.threads=1", "-cp", classPath, main));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * PostGraphile over a PostgreSQL of its own, which may use both cores.
   *
   * @throws IOException if its packages were not installed
   */
  static ServerProcess postGraphile() throws IOException, SQLException {
    var directory = CANDIDATES.resolve("postgraphile").toAbsolutePath();
    var node = directory.resolve("node_modules/.bin/node");
    if (Files.notExists(node)) {
      throw new IOException(node + " is missing; install it: (cd " + directory + " && npm ci)");
    }
    var database = PostgresServer.start().createDatabase();
    try (var connection = DriverManager.getConnection(database);
        var statement = connection.createStatement()) {
      statement.execute(Files.readString(directory.resolve("shop.sql")));
    }
    var url = URI.create(database.substring("jdbc:".length()));
    var port = freePort();
    return new ServerProcess(
        port,
        List.of(
            "taskset",
            "-c",
            "0",
            "env",
            "NODE_ENV=production",
            node.toString(),
            directory.resolve("server.mjs").toString(),
            String.valueOf(port),
            "postgres://postgres@" + url.getAuthority() + url.getPath()));
  }

  int port() {
    return port;
  }

  /**
   * Processor time so far, of all its threads: the engine's, too, where that is embedded. The
   * kernel's share is what sending and receiving take.
   */
  Cpu cpu() throws IOException {
    var stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    // proc_pid_stat(5): the name stands in parentheses and may hold spaces; user time is field 14.
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return new Cpu(Long.parseLong(fields[11]), Long.parseLong(fields[12]));
  }

  /** How much of its memory is resident. */
  long residentKilobytes() throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("the process tells no VmRSS");
  }

  /** Processor time in hundredths of a second, in the program and in the kernel on its behalf. */
  record Cpu(long user, long kernel) {

    private static final double MICROS_PER_TICK = 1e4;

    double userMicrosSince(Cpu before) {
      return (user - before.user) * MICROS_PER_TICK;
    }

    double microsSince(Cpu before) {
      return userMicrosSince(before) + (kernel - before.kernel) * MICROS_PER_TICK;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void awaitListening() throws IOException {
    var deadline = System.nanoTime() + PATIENCE;
    while (true) {
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          close();
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
