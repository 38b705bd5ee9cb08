// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Evita in a process of its own, as users run it, with a heap of 128 MB. */
final class EvitaProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final Path err;
  private final BufferedReader out;
  private final List<String> printed = new ArrayList<>();

  private EvitaProcess(Process process, Path err) {
    this.process = process;
    this.err = err;
    out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** The status and output of a process. */
  record End(int status, String out, String err) {

    /** Asserts one line with the error and its remedy. */
    void isRefusal(String... parts) {
      assertThat(err).startsWith("evita: ").doesNotContain("\tat ", "Exception");
      assertThat(List.of(parts)).allSatisfy(part -> assertThat(err).contains(part));
      assertThat(err.lines()).hasSize(1);
      assertThat(out).isEmpty();
      assertThat(status).isEqualTo(2);
    }
  }

  static EvitaProcess start(String... arguments) {
    return start(Map.of(), arguments);
  }

  static EvitaProcess start(Map<String, String> environment, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.add("-cp");
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    return start(environment, command);
  }

  /** Starts it by its script. */
  static EvitaProcess launch(Path script, Map<String, String> environment, List<String> arguments) {
    var command = new ArrayList<>(List.of(script.toString()));
    command.addAll(arguments);
    return start(environment, command);
  }

  private static EvitaProcess start(Map<String, String> environment, List<String> command) {
    if (System.getProperty("os.name").equals("Linux")) {
      // If the tests run in the background, they ignore Ctrl-C, and so do all child processes.
      command.addAll(0, List.of("env", "--default-signal=INT"));
    }
    try {
      var err = Files.createTempFile("evita", ".err");
      var builder = new ProcessBuilder(command).redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("EVITA_"));
      builder.environment().putAll(environment);
      return new EvitaProcess(builder.start(), err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command that ends by itself. */
  static End run(String... arguments) {
    try (var process = start(arguments)) {
      return process.end();
    }
  }

  /** Reads its output until it serves. */
  EvitaProcess awaitServing() {
    var line = "";
    while (!line.startsWith("Stop it with")) {
      line = readLine();
    }
    return this;
  }

  private String readLine() {
    try {
      var line = out.readLine();
      if (line == null) {
        throw new AssertionError("it ended before it served: " + end());
      }
      printed.add(line);
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until standard error contains this text. */
  void awaitError(String text) {
    await(text)
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollDelay(Duration.ZERO)
        .failFast(() -> assertThat(process.isAlive()).as(errorText()).isTrue())
        .until(() -> errorText().contains(text));
  }

  /** The server's address, for example {@code http://127.0.0.1:5555}. */
  String uri() {
    var graphQl = graphQl().toString();
    return graphQl.substring(0, graphQl.indexOf('/', "http://".length()));
  }

  /** The GraphQL endpoint, as printed. */
  URI graphQl() {
    return URI.create(printedAfter("  GraphQL "));
  }

  /** The suggested command that was printed. */
  String curl() {
    return "curl " + printedAfter("  curl ");
  }

  private String printedAfter(String start) {
    return printed.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + start + " in " + printed));
  }

  /** Posts a query and returns the body. */
  String query(String document) {
    return queryLater(document).join();
  }

  CompletableFuture<String> queryLater(String document) {
    return HttpClient.newHttpClient()
        .sendAsync(GraphQlRequest.of(graphQl(), document), HttpResponse.BodyHandlers.ofString())
        .thenApply(HttpResponse::body);
  }

  /** Sends SIGTERM and waits for the end. */
  End terminate() {
    // Process.destroy would close streams that must still be read.
    process.toHandle().destroy();
    return end();
  }

  /** Sends a signal by its name and waits for the end. */
  End signal(String name) {
    Shell.run("kill -" + name + " " + process.pid());
    return end();
  }

  /** Kills it. */
  void kill() {
    process.toHandle().destroyForcibly();
    end();
  }

  /** Waits for its end. */
  End end() {
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      var rest = String.join("\n", out.lines().toList());
      return new End(process.exitValue(), String.join("\n", printed) + rest, errorText());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  String errorText() {
    try {
      return Files.readString(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      Files.deleteIfExists(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
