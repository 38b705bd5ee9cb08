// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.ChildProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Evita in a process of its own, on one port throughout, however often it is killed and started.
 * Not thread-safe, but for {@link #port} and {@link #readiness}.
 */
final class ServerUnderTest implements AutoCloseable {

  /** The deadline of each request. */
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(40);
  private static final int TERMINATED = 143;

  private final String database;
  private final Path log;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Process process;

  /**
   * @param database its JDBC URL
   * @param log to which all processes append
   */
  ServerUnderTest(String database, Path log) throws IOException {
    this.database = database;
    this.log = log;
    this.port = freePort();
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  int port() {
    return port;
  }

  /** Starts it and returns once it is ready. */
  void start() throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"));
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.evita.server.Main"));
    command.addAll(List.of("serve", "--db", database, "--port", String.valueOf(port)));
    command.addAll(List.of("--durability", "process", "--wait-for-database", "60s"));
    command.addAll(List.of("--carpool", "on")); // writes share commits: more can be lost at once
    command.addAll(List.of("--request-timeout", REQUEST_TIMEOUT.toSeconds() + "s"));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("EVITA_"));
    process = ChildProcesses.add(builder.start());
    awaitReady();
  }

  private void awaitReady() throws IOException, InterruptedException {
    var deadline = System.nanoTime() + START.toNanos();
    while (!readiness().equals("UP")) {
      if (!running().isAlive() || System.nanoTime() > deadline) {
        throw new IOException("the server is not ready; the end of its log:\n" + logTail());
      }
      Thread.sleep(50);
    }
  }

  /** UP, the error code that explains why it is DOWN, or nothing where it does not answer. */
  String readiness() throws InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/system/readiness"))
            .timeout(Duration.ofSeconds(2))
            .build();
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() == 200 ? "UP" : Client.code(answer.body());
    } catch (IOException e) {
      return "";
    }
  }

  private Process running() {
    var started = process;
    if (started == null) {
      throw new IllegalStateException("not started");
    }
    return started;
  }

  void kill() throws InterruptedException {
    running().destroyForcibly().waitFor();
    ChildProcesses.remove(running());
  }

  /**
   * Sends SIGTERM and waits for the end.
   *
   * @return whether it ended in time and with the documented status
   */
  boolean terminate() throws InterruptedException {
    running().toHandle().destroy();
    if (!running().waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
      dumpThreads();
      kill();
      return false;
    }
    ChildProcesses.remove(running());
    return running().exitValue() == TERMINATED;
  }

  /** Suspends it. */
  void suspend() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Resumes it. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(running().pid())).start().waitFor();
  }

  /** Writes the stacks of all threads into its log. */
  void dumpThreads() throws InterruptedException {
    try {
      signal("QUIT");
      Thread.sleep(1000);
    } catch (IOException e) {
      System.err.println("no thread dump: " + e.getMessage());
    }
  }

  /** The last lines of its log. */
  String logTail() throws IOException {
    var lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
  }

  @Override
  public void close() {
    var started = process;
    if (started != null) {
      started.destroyForcibly();
      ChildProcesses.remove(started);
    }
  }
}
