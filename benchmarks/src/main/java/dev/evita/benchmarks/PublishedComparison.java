// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Report.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The published comparison, by JMH: each server alone, in each mode, for each fork in a fresh
 * process; all have had their first fork before one has its second, so that the machine's drift
 * tells. Writes {@code published.json}, {@code .md} and {@code .svg}.
 */
@Command(
    name = "jmh",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "the published comparison, by JMH")
final class PublishedComparison implements Callable<Integer> {

  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  /** Time to start the JVMs of client and server. */
  private static final int SECONDS_TO_START = 4;

  @Mixin private Selection selection = new Selection();

  @Option(
      names = "--modes",
      split = ",",
      description = "of JMH (default: ${DEFAULT-VALUE}); published were Throughput and AverageTime")
  private List<Mode> modes = List.of(Mode.Throughput, Mode.AverageTime, Mode.SampleTime);

  @Option(
      names = "--forks",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}; published: 2")
  private int forks = 1;

  @Option(
      names = "--warm-up",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds before measuring (default: ${DEFAULT-VALUE}); published: 10")
  private int warmUp = 20;

  @Option(
      names = "--iterations",
      converter = BenchmarkOptions.Positive.class,
      description = "default and published: ${DEFAULT-VALUE}")
  private int iterations = 5;

  @Option(
      names = "--time",
      converter = BenchmarkOptions.Positive.class,
      description = "seconds for an iteration (default: ${DEFAULT-VALUE}); published: 60")
  private int seconds = 10;

  @Option(
      names = "--smoke",
      description = "one second each, in one mode: whether all is there, not how fast it is")
  private boolean smoke;

  @Option(
      names = "--published",
      description =
          "the settings of the article: a warm-up and 5 iterations of a minute each, 2 forks,"
              + " Throughput and AverageTime (several hours for all candidates)")
  private boolean published;

  private final Map<Contestant, Map<String, List<Double>>> samples = new LinkedHashMap<>();
  private final Set<Contestant> failed = new HashSet<>();
  private int done;

  @Override
  public Integer call() throws Exception {
    if (published) {
      modes = List.of(Mode.Throughput, Mode.AverageTime);
      forks = 2;
      warmUp = 60;
      iterations = 5;
      seconds = 60;
    }
    if (smoke) {
      modes = List.of(Mode.Throughput);
      forks = 1;
      warmUp = 1;
      iterations = 1;
      seconds = 1;
    }
    var contestants = selection.contestants();
    var report =
        selection.report(
            smoke ? "smoke" : "published",
            "GraphQL echo by JMH: HTTP/1.1, a JDK client for each of all threads",
            settings());
    for (var mode : modes) {
      for (int fork = 0; fork < forks; fork++) {
        for (var contestant : contestants) {
          tell(mode, contestant, contestants.size() * modes.size() * forks);
          if (!failed.contains(contestant)) {
            measure(mode, contestant, report);
          }
        }
      }
    }
    return report.end();
  }

  /** One that fails is left out from then on. */
  private void measure(Mode mode, Contestant contestant, Report report) throws IOException {
    try {
      add(contestant, mode, run(mode, contestant));
    } catch (RunnerException e) {
      var reason = reason(e);
      System.err.println(contestant.title() + " is left out: " + reason);
      failed.add(contestant);
      report.failed(contestant, reason);
    }
    write(report);
  }

  /** Returns the failure in the fork: JMH wraps it twice, finally as suppressed. */
  private static Throwable reason(Throwable failure) {
    if (failure.getCause() instanceof BenchmarkException benchmark) {
      return reason(benchmark);
    }
    return failure.getSuppressed().length == 0 ? failure : failure.getSuppressed()[0];
  }

  private Map<String, Object> settings() {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("forks", forks);
    settings.put("warm-up (s)", warmUp);
    settings.put("iterations", iterations);
    settings.put("time of each (s)", seconds);
    settings.put(
        "JVM options of a server", String.join(" ", ServerProcess.all(ServerProcess.HEAP)));
    settings.put("connections", "one for each of all threads");
    settings.put("modes", modes);
    return settings;
  }

  private void tell(Mode mode, Contestant contestant, int all) {
    var left = (all - done) * (warmUp + iterations * seconds + SECONDS_TO_START);
    done++;
    System.out.printf(
        Locale.ROOT,
        "%3d of %d  %-28s %-14s %d min %02d s left%n",
        done,
        all,
        contestant.title(),
        mode.longLabel(),
        left / 60,
        left % 60);
  }

  private Collection<RunResult> run(Mode mode, Contestant contestant) throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(EchoBenchmark.class.getName() + ".echo")
            .param("candidate", contestant.candidate().name())
            .param("documentCache", String.valueOf(contestant.documentCache()))
            .mode(mode)
            .timeUnit(mode == Mode.Throughput ? TimeUnit.SECONDS : TimeUnit.MICROSECONDS)
            .forks(1)
            .warmupIterations(1)
            .warmupTime(TimeValue.seconds(warmUp))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.seconds(seconds))
            .jvmArgsAppend(clientOptions())
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    return new Runner(options).run();
  }

  /** JMH makes its results by Unsafe, of which newer JVMs complain. */
  private static String[] clientOptions() {
    return ServerProcess.all(ServerProcess.HEAP).toArray(new String[0]);
  }

  private void add(Contestant contestant, Mode mode, Collection<RunResult> results) {
    for (var result : results) {
      switch (mode) {
        case Throughput -> add(contestant, "ops/s", scores(result));
        case AverageTime -> add(contestant, "us/op", scores(result));
        default -> {
          var statistics = result.getPrimaryResult().getStatistics();
          for (var percentile : PERCENTILES) {
            var name = percentile == Math.rint(percentile) ? "p%.0f, us" : "p%.1f, us";
            add(
                contestant,
                String.format(Locale.ROOT, name, percentile),
                List.of(statistics.getPercentile(percentile)));
          }
        }
      }
    }
  }

  /** The scores of the iterations. */
  private static List<Double> scores(RunResult result) {
    return result.getAggregatedResult().getIterationResults().stream()
        .map(each -> each.getPrimaryResult().getScore())
        .toList();
  }

  private void add(Contestant contestant, String column, List<Double> values) {
    samples
        .computeIfAbsent(contestant, key -> new LinkedHashMap<>())
        .computeIfAbsent(column, key -> new ArrayList<>())
        .addAll(values);
  }

  private void write(Report report) throws IOException {
    samples.forEach((contestant, columns) ->
        columns.forEach((column, values) -> {
          var unit = column.equals("ops/s") ? Report.PER_SECOND : "us";
          report.add(contestant, column, Figure.meanOf(values, unit));
        }));
    report.write();
  }
}
