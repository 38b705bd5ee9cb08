// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The same servers, bound by the server and not by its client: each on core 0, {@code wrk} (or
 * {@code h2load} where that is missing) on core 1. All are started and warmed up, then stand still
 * but for the one that is measured, in turn over the rounds, so that the machine's drift cancels.
 * Then latencies at a fixed rate, by {@link OpenLoop}. Writes {@code load.json}, {@code .md} and
 * {@code .svg}.
 */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false)
final class LoadComparison implements Callable<Integer> {

  private static final int WARM_UP_REQUESTS = 200_000;

  /** Enough for a rate that is only to be halved or so. */
  private static final int PEAK_SECONDS = 2;

  @Mixin private Selection selection = new Selection();

  @Option(
      names = "--rounds",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private int rounds = 3;

  @Option(
      names = "--latency-rounds",
      converter = BenchmarkOptions.NotNegative.class,
      description = "of latencies at fixed rates; 0 for none (default: ${DEFAULT-VALUE})")
  private int latencyRounds = 3;

  @Option(
      names = "--time",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds for a server in a round (default: ${DEFAULT-VALUE})")
  private int seconds = 3;

  @Option(
      names = "--connections",
      split = ",",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private List<Integer> connections = List.of(16, 256, 1, 1024);

  @Option(
      names = "--rates",
      split = ",",
      converter = BenchmarkOptions.Positive.class,
      description =
          "requests per second, the same for all, at which latencies are measured; besides each"
              + " server's at --share of its peak (default: ${DEFAULT-VALUE})")
  private List<Integer> rates = List.of(3_000, 10_000);

  @Option(
      names = "--share",
      converter = BenchmarkOptions.Share.class,
      description = "of a server's own peak (default: ${DEFAULT-VALUE})")
  private double share = 0.7;

  private final SuspendedServers<Contestant> standing = new SuspendedServers<>();

  public static void main(String[] arguments) {
    System.exit(BenchmarkOptions.execute(new LoadComparison(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    var kind = Load.Kind.closedLoop();
    Programs.require("taskset", kind.program());
    var contestants = selection.contestants();
    var report =
        selection.report(
            "load",
            "GraphQL echo, server-bound: one core for the server, one for the client",
            settings(kind));
    try (standing) {
      for (var contestant : contestants) {
        standing.start(contestant, (subject, server) -> warmUp(subject, server, kind));
      }
      for (int round = 1; round <= rounds; round++) {
        for (var count : connections) {
          closedLoop(kind, count, round);
          standing.write(report);
        }
      }
      for (int round = 1; round <= latencyRounds; round++) {
        openLoop(kind, round);
        standing.write(report);
      }
      standing.write(report);
    }
    return report.end();
  }

  private Map<String, Object> settings(Load.Kind kind) throws IOException, InterruptedException {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("load", Programs.version(kind.program()) + ", one thread");
    settings.put("rounds", rounds);
    settings.put("rounds of latencies", latencyRounds);
    settings.put("time of each (s)", seconds);
    settings.put("connections", connections);
    settings.put("latencies at (1/s)", rates + ", and " + share + " of the own peak");
    settings.put("latencies of connections", connections.getFirst());
    settings.put("JVM options of a server", SuspendedServers.jvm());
    return settings;
  }

  private void warmUp(Contestant contestant, ServerProcess server, Load.Kind kind)
      throws IOException, InterruptedException {
    contestant.requireRight(server.port());
    try (var load = kind.start(connections.getFirst())) {
      SuspendedServers.warmUp(contestant.title(), server, load, Contestant.QUERY, WARM_UP_REQUESTS);
    }
  }

  private void closedLoop(Load.Kind kind, int count, int round)
      throws IOException, InterruptedException {
    try (var load = kind.start(count)) {
      standing.inTurn(
          round,
          (contestant, server) -> {
            var before = server.cpu();
            var result = load.run(server.port(), Contestant.QUERY, seconds);
            var micros = server.cpu().microsSince(before) / Math.max(result.requests(), 1);
            System.out.printf(
                Locale.ROOT,
                "round %d  %4d connections  %-28s %,10.0f req/s  %6.1f us of CPU%s%n",
                round,
                count,
                contestant.title(),
                result.perSecond(),
                micros,
                result.remark());
            standing.add(contestant, rate(count), Report.PER_SECOND, result.perSecond());
            standing.add(contestant, "CPU us, " + connections(count), "us", micros);
            if (count == Collections.max(connections)) {
              standing.add(contestant, "RSS, MB", "MB", server.residentMegabytes());
            }
          });
    }
  }

  private static String rate(int count) {
    return "req/s, " + connections(count);
  }

  private static String connections(int count) {
    return count == 1 ? "1 connection" : count + " connections";
  }

  /** The peak is taken right before its share is asked for: this machine may drift meanwhile. */
  private void openLoop(Load.Kind kind, int round) throws IOException, InterruptedException {
    try (var load = kind.start(connections.getFirst())) {
      standing.inTurn(
          round,
          (contestant, server) -> {
            for (var rate : rates) {
              openLoop(contestant, server, round, "at " + rate + "/s", rate);
            }
            var name = "at " + share + " of its peak";
            var peak = load.run(server.port(), Contestant.QUERY, PEAK_SECONDS).perSecond();
            var asked = Math.max((int) (share * peak), 1);
            openLoop(contestant, server, round, name, asked);
            standing.add(contestant, "asked/s " + name, Report.PER_SECOND, asked);
          });
    }
  }

  private void openLoop(
      Contestant contestant, ServerProcess server, int round, String name, int perSecond)
      throws IOException, InterruptedException {
    var command =
        List.of(
            ServerProcess.javaCommand(),
            "-cp",
            System.getProperty("java.class.path"),
            OpenLoop.class.getName(),
            String.valueOf(server.port()),
            String.valueOf(perSecond),
            String.valueOf(connections.getFirst()),
            "2",
            String.valueOf(seconds));
    var output = output(ServerProcess.Cores.SECOND.command(command));
    System.out.printf(
        Locale.ROOT,
        "round %d  %-20s %-28s answered/s, p50, p99, p99.9 in us: %s%n",
        round,
        name,
        contestant.title(),
        output);
    var figures = Arrays.stream(output.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    standing.add(contestant, "answered/s " + name, Report.PER_SECOND, figures[0]);
    standing.add(contestant, "p50 us " + name, "us", figures[1]);
    standing.add(contestant, "p99 us " + name, "us", figures[2]);
    standing.add(contestant, "p99.9 us " + name, "us", figures[3]);
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    var process =
        ChildProcesses.add(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    try {
      var output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("the client at a fixed rate ended with " + process.exitValue());
      }
      return output;
    } finally {
      ChildProcesses.remove(process);
    }
  }
}
