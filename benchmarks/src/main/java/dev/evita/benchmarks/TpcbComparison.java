// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Report.Figure;
import dev.evita.benchmarks.ServerProcess.Cores;
import dev.evita.benchmarks.TpcbContestant.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * TPC-B over HTTP: the transaction as a SQL handler, and by the programs of the article. {@code
 * wrk} gives the ratios: one core for the server, one for the client, in turn over the rounds
 * ({@code tpcb.json}, {@code .md} and {@code .svg}). k6 repeats the article, with all on all cores
 * ({@code tpcb_users.json}, {@code .md} and {@code .svg}). PostgreSQL may use all cores in both.
 */
@Command(
    name = "tpcb",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "a TPC-B transaction over HTTP: a SQL handler, and Go, Rust, Java, Node, Python")
final class TpcbComparison implements Callable<Integer> {

  /** The database of a program. */
  enum Database {
    POSTGRES,
    H2;

    private boolean serves(TpcbProgram program) {
      return program.embedded() == (this == H2);
    }
  }

  /** The load generator. */
  enum Client {
    WRK,
    K6
  }

  /** A pause such as {@code 10ms} or {@code 1s}, in seconds. */
  static final class Pause implements ITypeConverter<Double> {

    private static final Pattern PAUSE = Pattern.compile("([0-9]+)(ms|s)");

    @Override
    public Double convert(String value) {
      var pause = PAUSE.matcher(value);
      if (!pause.matches()) {
        throw new TypeConversionException("'" + value + "'; expected a pause such as 10ms or 1s");
      }
      return Integer.parseInt(pause.group(1)) / (pause.group(2).equals("s") ? 1.0 : 1000.0);
    }
  }

  @Option(
      names = "--programs",
      split = ",",
      description = "which of them (default: all): ${COMPLETION-CANDIDATES}")
  private List<TpcbProgram> programs = List.of(TpcbProgram.values());

  @Option(
      names = "--engines",
      split = ",",
      description = "those over which database (default: all): ${COMPLETION-CANDIDATES}")
  private List<Database> engines = List.of(Database.values());

  @Option(
      names = "--load",
      split = ",",
      description =
          "wrk for the ratios, k6 for the article's table (default: both): ${COMPLETION-CANDIDATES}")
  private List<Client> clients = List.of(Client.values());

  @Option(
      names = "--rounds",
      converter = BenchmarkOptions.Positive.class,
      description = "rounds of wrk (default: ${DEFAULT-VALUE})")
  private int rounds = 3;

  @Option(
      names = "--time",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds of wrk for a program in a round (default: ${DEFAULT-VALUE})")
  private int seconds = 5;

  @Option(
      names = "--connections",
      split = ",",
      converter = BenchmarkOptions.Positive.class,
      description = "of wrk (default: ${DEFAULT-VALUE})")
  private List<Integer> connections = List.of(100, 16);

  @Option(
      names = "--users",
      split = ",",
      converter = BenchmarkOptions.Positive.class,
      description = "virtual users of k6 (default: ${DEFAULT-VALUE})")
  private List<Integer> users =
      List.of(100, 130, 200, 250, 500, 1000, 2000, 4000, 5000, 6000, 10_000);

  @Option(
      names = "--duration",
      converter = BenchmarkOptions.Positive.class,
      description =
          "seconds of k6 for each number of users; the article had 180 (default: ${DEFAULT-VALUE})")
  private int duration = 30;

  @Option(
      names = "--warm-up",
      converter = BenchmarkOptions.NotNegative.class,
      description = "seconds of load before the first run of a program (default: ${DEFAULT-VALUE})")
  private int warmUp = 30;

  @Option(
      names = "--pause",
      converter = Pause.class,
      description = "of a user between a response and the next request (default: none)")
  private double pause;

  @Option(
      names = "--scale",
      converter = BenchmarkOptions.Positive.class,
      description = "of pgbench: 100,000 accounts each (default: ${DEFAULT-VALUE})")
  private int scale = 10;

  @Option(
      names = "--postgres-settings",
      split = ",",
      description = "as in postgresql.conf (default: ${DEFAULT-VALUE})")
  private List<String> settings = List.of("max_connections=400");

  @Option(
      names = "--results",
      description = "where the results are written (default: ${DEFAULT-VALUE})")
  private Path results = Path.of("results");

  private final Map<TpcbContestant, Map<Integer, List<Double>>> rates = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    Programs.require(clients.contains(Client.WRK) ? List.of("wrk", "taskset") : List.of());
    var status = 0;
    try (var database = new TpcbDatabase(scale, settings)) {
      if (clients.contains(Client.WRK)) {
        status = wrk(contestants(database));
      }
      if (clients.contains(Client.K6)) {
        status = Math.max(status, k6(contestants(database)));
      }
    }
    return status;
  }

  private List<TpcbContestant> contestants(TpcbDatabase database) {
    var most = users.stream().mapToInt(each -> each).max().orElseThrow();
    return programs.stream()
        .filter(this::isSelected)
        .map(program -> new TpcbContestant(program, database, most))
        .toList();
  }

  private boolean isSelected(TpcbProgram program) {
    return programs.contains(program) && engines.stream().anyMatch(each -> each.serves(program));
  }

  private Map<String, String> notRun() {
    var notRun = new TreeMap<String, String>();
    for (var program : TpcbProgram.values()) {
      if (!isSelected(program)) {
        notRun.put(program.title(), Report.NOT_SELECTED);
      }
    }
    return notRun;
  }

  private Map<String, Object> settings(String client) throws IOException, InterruptedException {
    var all = new LinkedHashMap<String, Object>();
    all.put("client", client);
    all.put("scale", scale);
    all.put("settings of PostgreSQL", settings);
    all.put("programs", programs);
    all.put("engines", engines);
    for (var program : List.of("pgbouncer")) {
      all.put(program, Programs.installed(program) ? Programs.version(program) : "not installed");
    }
    return all;
  }

  private int wrk(List<TpcbContestant> contestants) throws IOException, InterruptedException {
    var all = settings(Programs.version("wrk") + ", one thread");
    all.put("warm-up (s)", warmUp);
    all.put("rounds", rounds);
    all.put("time of each (s)", seconds);
    all.put("connections", connections);
    all.put("JVM options of a server", SuspendedServers.jvm());
    var title = "TPC-B over HTTP: one core for the server, one for the client";
    var report = new Report(results, "tpcb", title, all, notRun());
    var standing = new SuspendedServers<TpcbContestant>();
    try (standing) {
      for (var contestant : contestants) {
        standing.start(contestant, this::warmUp);
      }
      for (int round = 1; round <= rounds; round++) {
        for (var count : connections) {
          var number = round;
          standing.inTurn(
              round,
              (contestant, server) ->
                  add(standing, contestant, count, wrk(contestant, server, count, number)));
          standing.write(report);
        }
      }
    }
    contestants.stream()
        .filter(rates::containsKey)
        .findFirst()
        .ifPresent(first -> ratios(first, report));
    return report.end();
  }

  private void warmUp(TpcbContestant contestant, ServerProcess server)
      throws IOException, InterruptedException {
    try (var load = wrk(connections.getFirst())) {
      for (int spent = 0; spent < warmUp; spent += seconds) {
        var run = contestant.measure(server, port -> load.run(port, "/transaction", seconds));
        System.out.printf("warm-up  %-32s %s%n", contestant.title(), run);
      }
    }
  }

  private WrkScript wrk(int count) throws IOException {
    return new WrkScript(Cores.SECOND, count, TpcbScript.of(scale));
  }

  private Run wrk(TpcbContestant contestant, ServerProcess server, int count, int round)
      throws IOException, InterruptedException {
    try (var load = wrk(count)) {
      var run = contestant.measure(server, port -> load.run(port, "/transaction", seconds));
      System.out.printf(
          "round %d  %4d connections  %-32s %s%n", round, count, contestant.title(), run);
      return run;
    }
  }

  private void add(
      SuspendedServers<TpcbContestant> standing, TpcbContestant contestant, int count, Run run) {
    var suffix = ", " + count + " connections";
    standing.add(contestant, "req/s" + suffix, Report.PER_SECOND, run.load().perSecond());
    standing.add(contestant, "p50 ms" + suffix, "ms", run.load().latency().median());
    standing.add(contestant, "p95 ms" + suffix, "ms", run.load().latency().p95());
    standing.add(contestant, "errors %" + suffix, "%", run.load().errorPercent());
    standing.add(contestant, "CPU us, server" + suffix, "us", run.server());
    standing.add(contestant, "CPU us, PgBouncer" + suffix, "us", run.pooler());
    standing.add(contestant, "CPU us, PostgreSQL" + suffix, "us", run.database());
    standing.add(contestant, "CPU us, client" + suffix, "us", run.client());
    standing.add(contestant, "left open" + suffix, "transactions", run.leftOpen());
    rates
        .computeIfAbsent(contestant, key -> new TreeMap<>())
        .computeIfAbsent(count, key -> new ArrayList<>())
        .add(run.load().perSecond());
  }

  /** How many times as fast the first program is as each other, in each round. */
  private void ratios(TpcbContestant first, Report report) {
    rates.forEach((contestant, byConnections) ->
        byConnections.forEach((count, values) -> {
          var firsts = rates.get(first).getOrDefault(count, List.of());
          var ratios = new ArrayList<Double>();
          for (int i = 0; i < Math.min(firsts.size(), values.size()); i++) {
            ratios.add(firsts.get(i) / values.get(i));
          }
          if (!ratios.isEmpty()) {
            var column = "%s is, %d connections".formatted(first.title(), count);
            var figure = Figure.of(ratios, "x");
            report.add(contestant, column, figure);
            System.out.printf(
                Locale.ROOT, "%-40s %.2fx  %s%n", column, figure.value(), contestant.title());
          }
        }));
  }

  private int k6(List<TpcbContestant> contestants) throws IOException, InterruptedException {
    var k6 = K6.find();
    var all = settings(k6.version());
    all.put("users", users);
    all.put("duration of each (s)", duration);
    all.put("warm-up (s)", warmUp);
    all.put("pause (s)", pause);
    all.put("JVM options of a server", Footprint.jvm());
    var title = "TPC-B over HTTP by virtual users: all on all cores";
    var report = new Report(results, "tpcb_users", title, all, notRun());
    var chart = new UsersChart();
    report.chart(() -> chart.draw(title));
    for (var contestant : contestants) {
      try (var server = contestant.start(Cores.ALL, List.of())) {
        if (warmUp > 0) {
          k6(k6, contestant, server, users.getFirst(), warmUp);
        }
        for (var count : users) {
          var run = k6(k6, contestant, server, count, duration);
          chart.add(contestant.title(), count, run.load().perSecond());
          addRow(report, new UsersRow(contestant, count), run);
        }
      } catch (IOException | RuntimeException e) {
        System.err.println(contestant.title() + " is left out: " + e);
        report.failed(contestant, e);
      }
      report.write();
    }
    return report.end();
  }

  private Run k6(K6 k6, TpcbContestant contestant, ServerProcess server, int count, int time)
      throws IOException, InterruptedException {
    var run =
        contestant.measure(
            server, port -> k6.run(port, new K6.Settings(count, time, pause, scale)));
    System.out.printf("k6  %,6d users  %-32s %s%n", count, contestant.title(), run);
    return run;
  }

  private static void addRow(Report report, UsersRow row, Run run) {
    var latency = run.load().latency();
    var columns = new LinkedHashMap<String, Figure>();
    columns.put("RPS", Figure.single(run.load().perSecond(), Report.PER_SECOND));
    columns.put("min ms", Figure.single(latency.min(), "ms"));
    columns.put("max ms", Figure.single(latency.max(), "ms"));
    columns.put("avg ms", Figure.single(latency.mean(), "ms"));
    columns.put("p90 ms", Figure.single(latency.p90(), "ms"));
    columns.put("p95 ms", Figure.single(latency.p95(), "ms"));
    columns.put("errors %", Figure.single(run.load().errorPercent(), "%"));
    columns.put("CPU us, client", Figure.single(run.client(), "us"));
    columns.put("CPU us, server", Figure.single(run.server(), "us"));
    columns.put("CPU us, PgBouncer", Figure.single(run.pooler(), "us"));
    columns.put("CPU us, PostgreSQL", Figure.single(run.database(), "us"));
    columns.forEach((name, figure) -> report.add(row, name, figure));
  }

  /** A program under a number of users. */
  private record UsersRow(TpcbContestant contestant, int count) implements Subject {

    @Override
    public String title() {
      return String.format(Locale.ROOT, "%s; %,d users", contestant.title(), count);
    }

    @Override
    public String version() throws IOException {
      return contestant.version();
    }

    @Override
    public ServerProcess start(Cores cores, List<String> jvm) throws IOException {
      return contestant.start(cores, jvm);
    }
  }
}
