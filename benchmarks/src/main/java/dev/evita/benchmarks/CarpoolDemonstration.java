// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Report.Figure;
import dev.evita.benchmarks.ServerProcess.Cores;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The carpool demonstration: each request updates the row of a random visitor, and responds whether
 * it is the first visit. {@code wrk} drives each program in turn over the rounds; nothing is bound
 * to a core. Writes {@code carpool.json}, {@code .md} and {@code .svg}.
 */
@Command(
    name = "carpool",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "an update per request: Express with separate and batched queries, a SQL handler")
final class CarpoolDemonstration implements Callable<Integer> {

  private static final int WARM_UP_SECONDS = 5;
  private static final int VISITOR = 4711;

  /** Of a core, or of all: from here on it is the bottleneck. */
  private static final double BUSY = 0.9;

  private static final String DRAWING =
      """
      request = function()
        return wrk.format("GET", "/single/" .. math.random(1, VISITORS))
      end
      """
          .replace("VISITORS", String.valueOf(VisitorDatabase.VISITORS));

  @Option(
      names = "--programs",
      split = ",",
      description = "which of them (default: all): ${COMPLETION-CANDIDATES}")
  private List<CarpoolProgram> programs = List.of(CarpoolProgram.values());

  @Option(
      names = "--rounds",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private int rounds = 3;

  @Option(
      names = "--time",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds for a program in a round (default: ${DEFAULT-VALUE})")
  private int seconds = 30;

  @Option(
      names = "--connections",
      split = ",",
      converter = BenchmarkOptions.Positive.class,
      description = "of wrk (default: ${DEFAULT-VALUE})")
  private List<Integer> connections = List.of(400, 1);

  @Option(
      names = "--postgres-settings",
      split = ",",
      description = "as in postgresql.conf (default: ${DEFAULT-VALUE})")
  private List<String> settings = List.of("max_connections=200");

  @Option(
      names = "--results",
      description = "where the results are written (default: ${DEFAULT-VALUE})")
  private Path results = Path.of("results");

  private final Map<String, Object> described = new LinkedHashMap<>();
  private final Map<CarpoolProgram, CarpoolProgram.Servers> servers =
      new EnumMap<>(CarpoolProgram.class);
  private final Map<CarpoolProgram, Map<String, List<Double>>> samples =
      new EnumMap<>(CarpoolProgram.class);

  /** Cores that each party kept busy, and that all processes of the machine did. */
  private record Usage(
      double client, double proxy, double server, double database, double machine) {

    /** The party that limits the rate, as far as processor time shows. */
    String bottleneck(CarpoolProgram program) {
      var cores = Runtime.getRuntime().availableProcessors();
      var parties = new LinkedHashMap<String, Double>();
      parties.put("client", client);
      parties.put("proxy", proxy);
      parties.put("server", server);
      parties.put("database", database);
      var busiest =
          parties.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
      if (client >= BUSY) {
        return "client: wrk's only thread";
      }
      if (program.singleThreads() > 0 && server >= BUSY * program.singleThreads()) {
        return "server: the threads of Node.js";
      }
      if (client + proxy + server + database >= BUSY * cores) {
        return "the machine's cores, mostly the " + busiest;
      }
      if (machine >= BUSY * cores) {
        return "the machine's cores, shared with other programs";
      }
      return "no processor: waiting for the disk, for locks or for a batch";
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "cores: client %.2f, proxy %.2f, server %.2f, database %.2f",
          client,
          proxy,
          server,
          database);
    }
  }

  @Override
  public Integer call() throws Exception {
    Programs.require("wrk");
    var report =
        new Report(
            results,
            "carpool",
            "An update per request: the carpool demonstration and a SQL handler",
            settings(),
            notRun());
    try (var database = VisitorDatabase.open(settings)) {
      try {
        for (var program : programs) {
          start(program, database, report);
        }
        for (int round = 1; round <= rounds; round++) {
          for (var count : connections) {
            for (var program : List.copyOf(servers.keySet())) {
              tryToMeasure(program, database, count, round, report);
            }
            write(report);
          }
        }
      } finally {
        servers.values().forEach(CarpoolProgram.Servers::close);
      }
    }
    return report.end();
  }

  private Map<String, Object> settings() throws IOException, InterruptedException {
    described.put("client", Programs.version("wrk") + ", one thread");
    described.put("rounds", rounds);
    described.put("time of each (s)", seconds);
    described.put("connections", connections);
    described.put("settings of PostgreSQL", settings);
    described.put(
        "haproxy", Programs.installed("haproxy") ? Programs.version("haproxy") : "not installed");
    return described;
  }

  private Map<String, String> notRun() {
    return Arrays.stream(CarpoolProgram.values())
        .filter(each -> !programs.contains(each))
        .collect(Collectors.toMap(CarpoolProgram::title, each -> Report.NOT_SELECTED));
  }

  private void start(CarpoolProgram program, VisitorDatabase database, Report report)
      throws InterruptedException {
    try {
      var most = connections.stream().mapToInt(each -> each).max().orElseThrow();
      var started = program.start(database.url(), most);
      servers.put(program, started);
      database.reset();
      requireRight(started.port(), program);
      samples.put(program, new LinkedHashMap<>());
      run(program, started, connections.getFirst(), WARM_UP_SECONDS);
    } catch (IOException | SQLException | RuntimeException e) {
      leaveOut(program, e, report);
    }
  }

  private void leaveOut(CarpoolProgram program, Exception reason, Report report) {
    System.err.println(program.title() + " is left out: " + reason);
    report.failed(program, reason);
    var started = servers.remove(program);
    if (started != null) {
      started.close();
    }
  }

  /** The first visit of a visitor, and the second one. */
  private static void requireRight(int port, CarpoolProgram program)
      throws IOException, InterruptedException {
    for (var first : List.of(true, false)) {
      var answer = ResponseCheck.of(port, HttpProbe.get(program.target() + "/" + VISITOR));
      if (!answer.replace(" ", "").equals("{\"first\":" + first + "}")) {
        throw new IOException(
            "wrong body: expected {\"first\":%s}, got %s".formatted(first, answer));
      }
    }
  }

  private static LoadResult run(
      CarpoolProgram program, CarpoolProgram.Servers started, int count, int time)
      throws IOException, InterruptedException {
    try (var load = new WrkScript(Cores.ALL, count, program.clientDraws() ? DRAWING : "")) {
      return load.run(started.port(), program.target(), time);
    }
  }

  private void tryToMeasure(
      CarpoolProgram program, VisitorDatabase database, int count, int round, Report report)
      throws InterruptedException {
    try {
      measure(program, database, count, round);
    } catch (IOException | SQLException | RuntimeException e) {
      leaveOut(program, e, report);
    }
  }

  private void measure(CarpoolProgram program, VisitorDatabase database, int count, int round)
      throws IOException, SQLException, InterruptedException {
    var started = servers.get(program);
    database.reset();
    var server = started.serverMicros();
    var proxy = started.proxyMicros();
    var databaseMicros = database.micros();
    var machine = ProcessorTime.machineMicros();
    var begun = System.nanoTime();
    var load = run(program, started, count, seconds);
    var micros = (System.nanoTime() - begun) / 1e3;
    var usage =
        new Usage(
            load.clientMicros() / micros,
            (started.proxyMicros() - proxy) / micros,
            (started.serverMicros() - server) / micros,
            (database.micros() - databaseMicros) / micros,
            (ProcessorTime.machineMicros() - machine) / micros);
    database.requireVisits(load);
    var bottleneck = usage.bottleneck(program);
    System.out.printf(
        Locale.ROOT,
        "round %d  %3d connections  %-38s %,8.0f req/s  p50 %,.1f ms  errors %.2f %%  %s; %s%n",
        round,
        count,
        program.title(),
        load.perSecond(),
        load.latency().median(),
        load.errorPercent(),
        usage,
        bottleneck);
    var suffix = count == 1 ? ", 1 connection" : ", " + count + " connections";
    described.put("bottleneck of " + program.title() + suffix, bottleneck);
    add(program, "req/s" + suffix, load.perSecond());
    add(program, "p50 ms" + suffix, load.latency().median());
    add(program, "errors %" + suffix, load.errorPercent());
    add(program, "client, % of a core" + suffix, 100 * usage.client());
    add(program, "proxy, % of a core" + suffix, 100 * usage.proxy());
    add(program, "server, % of a core" + suffix, 100 * usage.server());
    add(program, "database, % of a core" + suffix, 100 * usage.database());
  }

  private void add(CarpoolProgram program, String column, double value) {
    samples.get(program).computeIfAbsent(column, key -> new ArrayList<>()).add(value);
  }

  private void write(Report report) throws IOException {
    samples.forEach((program, columns) ->
        columns.forEach((column, values) ->
            report.add(
                program,
                column,
                Figure.of(values, column.startsWith("req/s") ? Report.PER_SECOND : ""))));
    report.write();
  }
}
