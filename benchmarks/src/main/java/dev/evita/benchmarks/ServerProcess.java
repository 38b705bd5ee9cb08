// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server to be measured, in a process of its own. The caller that started it closes it. */
final class ServerProcess implements AutoCloseable {

  private static final Path SHOP = Path.of("candidates", "shop");
  private static final Path SCRIPT = Path.of("src/main/resources/dev/evita/benchmarks/shop.sql");

  /** Heap of servers that are compared by speed. */
  static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

  /**
   * What every JVM here has: without it, newer ones keep Netty from Unsafe, and all that stand on
   * Netty would be measured with a handicap.
   */
  static final List<String> UNSAFE =
      Runtime.version().feature() < 24
          ? List.of()
          : List.of("--sun-misc-unsafe-memory-access=allow");

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  /** The cores of the server: shared with its client, or one of its own. */
  enum Cores {
    ALL(""),
    FIRST("0"),
    SECOND("1");

    private final String list;

    Cores(String list) {
      this.list = list;
    }

    /** The command that runs a command there. */
    List<String> command(List<String> command) {
      var whole = new ArrayList<String>(this == ALL ? List.of() : List.of("taskset", "-c", list));
      whole.addAll(command);
      return whole;
    }
  }

  private final long started = System.nanoTime();
  private final Process process;
  private final int port;

  /** Its output, shown only if it does not start. */
  private final Path log;

  private ServerProcess(int port, List<String> command) throws IOException {
    this.port = port;
    this.log = Files.createTempFile("evita-benchmark", ".log");
    this.process =
        ChildProcesses.add(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
    awaitListening();
  }

  /** A program of the machine's own code. */
  static ServerProcess program(int port, Cores cores, Path program, List<String> options)
      throws IOException {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(options);
    return new ServerProcess(port, cores.command(command));
  }

  /** A command with variables in its environment. */
  static ServerProcess program(
      int port, Cores cores, Map<String, String> environment, List<String> command)
      throws IOException {
    var words = new ArrayList<String>();
    environment.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(command);
    return program(port, cores, Path.of("env"), words);
  }

  /**
   * Returns the command that runs the main class of a candidate's module.
   *
   * @throws IOException if it was not built
   */
  static List<String> candidate(Path directory, String main, List<String> options)
      throws IOException {
    var target = directory.resolve("target");
    if (Files.notExists(target.resolve("classpath"))) {
      throw new IOException(
          "%s/classpath is missing; build it: mvn -pl benchmarks/%s -am process-classes"
              .formatted(target, directory));
    }
    var command = java(options);
    command.addAll(
        List.of(
            "-cp",
            target.resolve("classes") + ":" + Files.readString(target.resolve("classpath")),
            main));
    return command;
  }

  /**
   * A program of Java.
   *
   * @param program its class path and main class, or its jar, as {@code java} takes them
   */
  static ServerProcess jvm(int port, Cores cores, List<String> options, List<String> program)
      throws IOException {
    var command = java(options);
    command.addAll(program);
    return new ServerProcess(port, cores.command(command));
  }

  /** A main class of this module, which takes the port. */
  static ServerProcess ours(Class<?> main, Cores cores, List<String> options) throws IOException {
    var port = freePort();
    var classPath = System.getProperty("java.class.path");
    return jvm(
        port,
        cores,
        with(options, "-Dio.threads=1"),
        List.of("-cp", classPath, main.getName(), String.valueOf(port)));
  }

  /**
   * A shop in Java, which takes the port and the shop's script.
   *
   * @throws IOException if it was not built
   */
  static ServerProcess shop(String module, String main, Cores cores, List<String> options)
      throws IOException {
    var target = SHOP.resolve(module).resolve("target");
    if (Files.notExists(target.resolve("classpath"))) {
      throw new IOException(
          target
              + "/classpath is missing; build it: mvn -pl benchmarks/candidates/shop/"
              + module
              + " -am process-classes");
    }
    var classPath = target.resolve("classes") + ":" + Files.readString(target.resolve("classpath"));
    var port = freePort();
    return jvm(
        port,
        cores,
        options,
        List.of("-cp", classPath, main, String.valueOf(port), SCRIPT.toAbsolutePath().toString()));
  }

  /** The shop by Quarkus, which takes both as system properties. */
  static ServerProcess quarkusShop(Cores cores, List<String> options) throws IOException {
    var jar = SHOP.resolve("quarkus_graphql").resolve("target/quarkus-app/quarkus-run.jar");
    var port = freePort();
    return jvm(
        port,
        cores,
        with(options, "-Dport=" + port, "-Dscript=" + SCRIPT.toAbsolutePath()),
        List.of("-jar", jar.toString()));
  }

  /** The server as users start it, with options of the JVM. */
  static ServerProcess evita(String url, List<String> options, String... more) throws IOException {
    return evita(Cores.FIRST, url, options, more);
  }

  /** The server as users start it, on these cores. */
  static ServerProcess evita(Cores cores, String url, List<String> options, String... more)
      throws IOException {
    var port = freePort();
    var arguments = new ArrayList<>(List.of("serve", "--db", url, "--port", "" + port));
    arguments.addAll(List.of(more));
    var main = "dev.evita.server.Main";
    return new ServerProcess(
        port, javaHere(cores, main, options, arguments.toArray(new String[0])));
  }

  /** The command that runs a main class of this class path on core 0. */
  static List<String> javaHere(String main, List<String> options, String... arguments) {
    return javaHere(Cores.FIRST, main, options, arguments);
  }

  /** The command that runs a main class of this class path there. */
  static List<String> javaHere(
      Cores cores, String main, List<String> options, String... arguments) {
    var command = java(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    return cores.command(command);
  }

  /** The words by which a JVM is started with these options, and with what all of them have. */
  private static List<String> java(List<String> options) {
    var command = new ArrayList<>(List.of(javaCommand()));
    command.addAll(all(options));
    return command;
  }

  /** These options of a JVM, and those that are not to be chosen: as results tell them. */
  static List<String> all(List<String> options) {
    return with(options, UNSAFE.toArray(new String[0]));
  }

  /** A command's words and more. */
  static List<String> with(List<String> words, String... more) {
    var all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return all;
  }

  /** The JVM that runs this. */
  static String javaCommand() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * PostGraphile over a PostgreSQL of its own, which may use both cores.
   *
   * @throws IOException if its packages were not installed
   */
  static ServerProcess postGraphile() throws IOException, SQLException {
    var directory = SHOP.resolve("postgraphile").toAbsolutePath();
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

  /** Returns a monitor of the process's JVM. The caller closes it. */
  JvmMonitor monitor() throws IOException {
    return JvmMonitor.attach(process.pid());
  }

  /** Returns the process, for the processor time of it and its children. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** The start of its process, by {@link System#nanoTime}. */
  long started() {
    return started;
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

  /** Returns its resident memory. */
  double residentMegabytes() throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
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

  /** A port that nobody listens on at this moment. */
  static int freePort() throws IOException {
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
          var said = Files.readString(log);
          close();
          throw new IOException("does not listen on port " + port + ": " + said, e);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /** It stands still: while another is measured, it takes no processor time at all. */
  void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** It goes on. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    run("kill", "-" + name, String.valueOf(process.pid()));
  }

  /** From now on all its threads run there. */
  void confine(Cores cores) throws IOException, InterruptedException {
    run("taskset", "--all-tasks", "--cpu-list", "--pid", cores.list, "" + process.pid());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    var started = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (started.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    ChildProcesses.remove(process);
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
