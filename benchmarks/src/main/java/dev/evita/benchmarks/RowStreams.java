// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A million rows as NDJSON and CSV over REST, beside a plain JDBC loop that writes the same bytes
 * to a file: each in a process of its own on core 0 with a heap of 128 MB, {@code curl} on core 1,
 * in turn. Then a client that reads 1 MB/s.
 *
 * <p>Argument: how many rounds.
 */
final class RowStreams implements AutoCloseable {

  private static final String HEAP = "-Xmx128m";
  private static final int SLOW_SECONDS = 20;

  private final Path directory = Files.createTempDirectory("evita-streams");
  private final ServerProcess server;
  private final Process loop;
  private final PrintWriter toLoop;
  private final BufferedReader fromLoop;

  private RowStreams() throws IOException, SQLException {
    var served = "jdbc:h2:file:" + directory.resolve("served");
    var looped = "jdbc:h2:file:" + directory.resolve("looped");
    JdbcExport.create(served);
    JdbcExport.create(looped);
    server = ServerProcess.evita(served, List.of(HEAP), "--request-timeout", "10m");
    loop =
        ChildProcesses.add(
            new ProcessBuilder(
                    ServerProcess.javaHere(JdbcExport.class.getName(), List.of(HEAP), looped))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    toLoop = new PrintWriter(loop.getOutputStream(), true, StandardCharsets.UTF_8);
    fromLoop = loop.inputReader(StandardCharsets.UTF_8);
  }

  public static void main(String[] arguments)
      throws IOException, SQLException, InterruptedException {
    try (var streams = new RowStreams()) {
      for (var format : List.of("ndjson", "csv")) {
        streams.compare(format, Integer.parseInt(arguments[0]));
      }
      streams.readSlowly();
    }
  }

  private void compare(String format, int rounds) throws IOException, InterruptedException {
    var answer = directory.resolve("answer." + format);
    var file = directory.resolve("file." + format);
    fetch(format, answer.toString());
    export(format, file);
    if (Files.mismatch(answer, file) >= 0) {
      throw new IOException(
          format + ": the bytes differ at " + Files.mismatch(answer, file) + " of " + answer);
    }
    System.out.printf(Locale.ROOT, "%s: %,d bytes, the same from both%n", format, Files.size(file));
    var served = new ArrayList<Long>();
    var looped = new ArrayList<Long>();
    for (int i = 1; i <= rounds; i++) {
      served.add(fetch(format, "/dev/null"));
      looped.add(export(format, file));
      System.out.printf(
          Locale.ROOT,
          "round %d  %-6s  served in %,5d ms, written by the loop in %,5d ms%n",
          i,
          format,
          served.getLast(),
          looped.getLast());
    }
    System.out.printf(
        Locale.ROOT,
        "median   %-6s  the loop's time is %.2f of the server's%n",
        format,
        Median.of(looped) / Median.of(served));
  }

  private long fetch(String format, String to) throws IOException, InterruptedException {
    var start = System.nanoTime();
    var type = format.equals("csv") ? "text/csv" : "application/x-ndjson";
    run("taskset", "-c", "1", "curl", "-sf", "-H", "Accept: " + type, "-o", to, url());
    return (System.nanoTime() - start) / 1_000_000;
  }

  private String url() {
    return "http://127.0.0.1:" + server.port() + "/rest/readings?order=id";
  }

  private static void run(String... command) throws IOException, InterruptedException {
    var status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + status);
    }
  }

  private long export(String format, Path file) throws IOException {
    toLoop.println(format + " " + file);
    return Long.parseLong(fromLoop.readLine());
  }

  private void readSlowly() throws IOException, InterruptedException {
    var before = server.residentMegabytes();
    var client =
        new ProcessBuilder("curl", "-s", "--limit-rate", "1M", "-o", "/dev/null", url()).start();
    var most = before;
    for (int i = 0; i < SLOW_SECONDS; i++) {
      Thread.sleep(1000);
      most = Math.max(most, server.residentMegabytes());
    }
    client.destroy();
    System.out.printf(
        Locale.ROOT,
        "a client that reads 1 MB/s for %d s: resident %,.0f MB before, at most %,.0f MB meanwhile%n",
        SLOW_SECONDS,
        before,
        most);
  }

  @Override
  public void close() throws IOException {
    server.close();
    loop.destroy();
    try (var files = Files.list(directory)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
