// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.PairedComparison.Contender;
import dev.evita.benchmarks.PairedComparison.Server;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server-bound comparison: servers in processes of their own on core 0, {@code wrk} or {@code
 * h2load} on core 1, one server under load at a time, in turn over the rounds so that the machine's
 * drift cancels. Prints each round, the medians, and how many times as fast the first of each race
 * is.
 */
@Command(
    name = "wrk",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "GraphQL, REST, gRPC and HTTP/2 of this layer, bound by the server")
final class WrkComparison implements Callable<Integer> {

  /** Maximum warm-up time on a starved machine. */
  private static final int LONGEST_WARM_UP_SECONDS = 60;

  /**
   * What a round shows. On a machine that others use as well, processor time per request is surer
   * than the rate; the part outside the kernel is what a server can do anything about.
   */
  private record Sample(double perSecond, double cpuMicros, double userMicros) {}

  /** The comparisons. */
  enum Races {
    LAYERS,
    PEERS,
    REST,
    HTTP2,
    HANDLERS;

    private List<PairedComparison> races() {
      return switch (this) {
        case LAYERS -> PairedComparison.layers();
        case PEERS -> PairedComparison.peers();
        case REST -> PairedComparison.rest();
        case HTTP2 -> PairedComparison.http2();
        case HANDLERS -> PairedComparison.handlers();
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--rounds",
      converter = BenchmarkOptions.Positive.class,
      description = "rounds of each server (default: ${DEFAULT-VALUE})")
  private int rounds = 5;

  @Option(
      names = "--seconds",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds for a server in a round (default: ${DEFAULT-VALUE})")
  private int seconds = 5;

  @Option(
      names = "--connections",
      converter = BenchmarkOptions.Positive.class,
      description = "connections of the client (default: ${DEFAULT-VALUE})")
  private int connections = 16;

  @Option(
      names = "--races",
      description = "one of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Races chosen = Races.LAYERS;

  private List<PairedComparison> races = List.of();
  private final Map<Server, ServerProcess> servers = new EnumMap<>(Server.class);
  private final Map<Load.Kind, Load> loads = new EnumMap<>(Load.Kind.class);
  private final Map<Contender, List<Sample>> samples = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    races = chosen.races();
    Programs.require(programs());
    compare();
    return 0;
  }

  private List<String> programs() {
    var loads =
        races.stream()
            .flatMap(race -> race.contenders().stream())
            .map(contender -> contender.load().program())
            .distinct()
            .toList();
    return ServerProcess.with(loads, "taskset");
  }

  private void compare() throws IOException, SQLException, InterruptedException {
    try {
      for (var race : races) {
        for (var contender : race.contenders()) {
          start(contender);
          requireRight(race, contender);
        }
      }
      for (var race : races) {
        for (var contender : race.contenders()) {
          warmUp(race, contender);
        }
      }
      for (int round = 1; round <= rounds; round++) {
        for (var race : races) {
          for (var contender : race.contenders()) {
            measure(race, contender, round);
          }
        }
      }
      print();
    } finally {
      servers.values().forEach(ServerProcess::close);
      for (var load : loads.values()) {
        load.close();
      }
    }
  }

  private void start(Contender contender) throws IOException, SQLException, InterruptedException {
    if (!servers.containsKey(contender.server())) {
      servers.put(contender.server(), contender.server().start());
    }
    if (!loads.containsKey(contender.load())) {
      loads.put(contender.load(), contender.load().start(connections));
    }
  }

  private ServerProcess server(Contender contender) {
    return Objects.requireNonNull(servers.get(contender.server()));
  }

  private Load load(Contender contender) {
    return Objects.requireNonNull(loads.get(contender.load()));
  }

  /** A wrong answer may be a fast one. */
  private void requireRight(PairedComparison race, Contender contender)
      throws IOException, InterruptedException {
    var answer = ResponseCheck.of(server(contender).port(), contender.ask());
    if (!answer.contains(race.expected()) || answer.contains("\"errors\"")) {
      throw new IOException(
          "%s, %s: expected %s in %s"
              .formatted(race.name(), contender.name(), race.expected(), answer));
    }
  }

  private void warmUp(PairedComparison race, Contender contender)
      throws IOException, InterruptedException {
    var requests = 0L;
    var spent = 0;
    while (requests < race.warmUp() && spent < LONGEST_WARM_UP_SECONDS) {
      requests +=
          load(contender).run(server(contender).port(), contender.ask(), seconds).requests();
      spent += seconds;
    }
    System.out.printf(
        Locale.ROOT,
        "warm     %-32s %-32s %,10d requests in %d s%n",
        race.name(),
        contender.name(),
        requests,
        spent);
  }

  private void measure(PairedComparison race, Contender contender, int round)
      throws IOException, InterruptedException {
    var server = server(contender);
    var before = server.cpu();
    var result = load(contender).run(server.port(), contender.ask(), seconds);
    var cpu = server.cpu();
    var sample =
        new Sample(
            result.perSecond(),
            cpu.microsSince(before) / Math.max(result.requests(), 1),
            cpu.userMicrosSince(before) / Math.max(result.requests(), 1));
    System.out.printf(
        Locale.ROOT,
        "round %d  %-32s %-32s %,10.0f req/s  %8.1f us of CPU, %8.1f in user mode%s%n",
        round,
        race.name(),
        contender.name(),
        sample.perSecond(),
        sample.cpuMicros(),
        sample.userMicros(),
        result.remark());
    samples.computeIfAbsent(contender, key -> new ArrayList<>()).add(sample);
  }

  private void print() {
    System.out.printf(
        Locale.ROOT,
        "%n| query | server | median req/s | lowest to highest | CPU us/request | in user mode |"
            + " the first is | in user mode | wanted |%n|---|---|---|---|---|---|---|---|---|%n");
    for (var race : races) {
      var first = race.contenders().getFirst();
      for (var contender : race.contenders()) {
        var rates = values(contender, Sample::perSecond);
        var user = median(contender, Sample::userMicros);
        System.out.printf(
            Locale.ROOT,
            "| %s | %s | %,.0f | %,.0f to %,.0f | %.1f | %.1f | %.2fx | %.2fx | %s |%n",
            race.name(),
            contender.name(),
            median(contender, Sample::perSecond),
            Collections.min(rates),
            Collections.max(rates),
            median(contender, Sample::cpuMicros),
            user,
            median(first, Sample::perSecond) / median(contender, Sample::perSecond),
            user / median(first, Sample::userMicros),
            contender.wanted() == 0 ? "" : contender.wanted() + "x");
      }
    }
  }

  private double median(Contender contender, ToDoubleFunction<Sample> figure) {
    return Median.of(values(contender, figure));
  }

  private List<Double> values(Contender contender, ToDoubleFunction<Sample> figure) {
    return samples.get(contender).stream().mapToDouble(figure).boxed().toList();
  }
}
