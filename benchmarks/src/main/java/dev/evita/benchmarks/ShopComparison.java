// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * This layer over a database, by each of its protocols, beside what would be written instead: start
 * and memory; then rate, processor time and allocation for each request, server-bound as in {@link
 * LoadComparison}; and what H2 alone takes, which is printed only. Writes {@code shop.json}, {@code
 * .md} and {@code .svg}.
 */
@Command(name = "shop", mixinStandardHelpOptions = true, sortOptions = false)
final class ShopComparison implements Callable<Integer> {

  private static final int WARM_UP_REQUESTS = 40_000;

  @Option(
      names = "--contestants",
      split = ",",
      description = "which of them (default: all): ${COMPLETION-CANDIDATES}")
  private List<ShopContestant> contestants = List.of(ShopContestant.values());

  @Option(
      names = "--rounds",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private int rounds = 3;

  @Option(
      names = "--time",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds for a request in a round (default: ${DEFAULT-VALUE})")
  private int seconds = 3;

  @Option(
      names = "--connections",
      converter = BenchmarkOptions.Positive.class,
      description = "under load (default: ${DEFAULT-VALUE})")
  private int connections = 16;

  @Option(
      names = "--idle-connections",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private int idleConnections = 10_000;

  @Option(
      names = "--results",
      description = "where the results are written (default: ${DEFAULT-VALUE})")
  private Path results = Path.of("results");

  private final SuspendedServers<ShopContestant> standing = new SuspendedServers<>();

  public static void main(String[] arguments) {
    System.exit(BenchmarkOptions.execute(new ShopComparison(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    Programs.require(programs());
    var report =
        new Report(
            results,
            "shop",
            "A shop on H2: this layer, and what is written instead",
            settings(),
            notRun());
    try (standing) {
      for (var contestant : contestants) {
        standing.start(contestant, this::warmUp);
      }
      for (int round = 1; round <= rounds; round++) {
        var number = round;
        standing.inTurn(round, (contestant, server) -> measure(contestant, server, number));
        standing.write(report);
      }
      standing.inTurn(0, this::countBytes);
      standing.write(report);
    }
    H2Floor.measure(seconds);
    var footprint = new Footprint(rounds, idleConnections, 3);
    for (var contestant : contestants) {
      if (!contestant.sharesProcess()) {
        footprint.measure(contestant, contestant.asks().get(ShopRequest.BY_KEY), report);
      }
    }
    return report.end();
  }

  private List<String> programs() {
    return ServerProcess.with(loads(), "taskset");
  }

  private List<String> loads() {
    return contestants.stream().map(each -> each.load().program()).distinct().toList();
  }

  private Map<String, String> notRun() {
    return Arrays.stream(ShopContestant.values())
        .filter(each -> !contestants.contains(each))
        .collect(Collectors.toMap(ShopContestant::title, each -> Report.NOT_SELECTED));
  }

  private Map<String, Object> settings() throws IOException, InterruptedException {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("rounds", rounds);
    settings.put("time of each (s)", seconds);
    settings.put("connections", connections);
    settings.put("idle connections", idleConnections);
    settings.put("JVM options of a server under load", SuspendedServers.jvm());
    settings.put("JVM options of an idle server", Footprint.jvm());
    settings.put("contestants", contestants);
    for (var program : loads()) {
      settings.put(program, Programs.version(program));
    }
    return settings;
  }

  private void warmUp(ShopContestant contestant, ServerProcess server)
      throws IOException, InterruptedException {
    contestant.requireRight(server.port());
    try (var load = contestant.load().start(connections)) {
      for (var request : contestant.asks().keySet()) {
        var ask = contestant.asks().get(request);
        var name = contestant.title() + ", " + request.title();
        SuspendedServers.warmUp(name, server, load, ask, WARM_UP_REQUESTS);
      }
    }
  }

  private void measure(ShopContestant contestant, ServerProcess server, int round)
      throws IOException, InterruptedException {
    try (var load = contestant.load().start(connections)) {
      for (var request : ShopRequest.values()) {
        var ask = contestant.asks().get(request);
        if (ask == null) {
          continue;
        }
        var before = server.cpu();
        var result = load.run(server.port(), ask, seconds);
        var micros = server.cpu().microsSince(before) / Math.max(result.requests(), 1);
        System.out.printf(
            Locale.ROOT,
            "round %d  %-28s %-12s %,10.0f req/s  %6.1f us of CPU%s%n",
            round,
            contestant.title(),
            request.title(),
            result.perSecond(),
            micros,
            result.remark());
        standing.add(
            contestant, request.title() + ", req/s", Report.PER_SECOND, result.perSecond());
        standing.add(contestant, request.title() + ", CPU us", "us", micros);
      }
    }
    standing.add(contestant, "RSS under load, MB", "MB", server.residentMegabytes());
  }

  /** Apart from the rounds, as looking into a JVM takes of its memory. */
  private void countBytes(ShopContestant contestant, ServerProcess server)
      throws IOException, InterruptedException {
    try (var load = contestant.load().start(connections);
        var monitor = server.monitor()) {
      for (var request : ShopRequest.values()) {
        var ask = contestant.asks().get(request);
        if (ask == null) {
          continue;
        }
        var before = monitor.allocatedBytes();
        var result = load.run(server.port(), ask, seconds);
        var bytes = monitor.allocatedBytes() - before;
        standing.add(
            contestant,
            request.title() + ", bytes allocated",
            "B",
            bytes / (double) Math.max(result.requests(), 1));
      }
    }
  }
}
