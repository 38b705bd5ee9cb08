// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Report.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What a server costs beside time: how long until it answers, how much memory it takes, what it
 * brings along, how many lines its echo is. JVMs as they come, with no option but {@link
 * ServerProcess#UNSAFE}. Writes {@code footprint.json}, {@code .md} and {@code .svg}.
 */
@Command(name = "footprint", mixinStandardHelpOptions = true, sortOptions = false)
final class FootprintComparison implements Callable<Integer> {

  @Mixin private Selection selection = new Selection();

  @Option(
      names = "--rounds",
      converter = BenchmarkOptions.Positive.class,
      description = "default: ${DEFAULT-VALUE}")
  private int rounds = 5;

  @Option(
      names = "--connections",
      converter = BenchmarkOptions.Positive.class,
      description = "that are idle (default: ${DEFAULT-VALUE})")
  private int connections = 10_000;

  @Option(
      names = "--idle",
      converter = BenchmarkOptions.NotNegative.class,
      description = "seconds before memory is looked at (default: ${DEFAULT-VALUE})")
  private int idle = 3;

  public static void main(String[] arguments) {
    System.exit(BenchmarkOptions.execute(new FootprintComparison(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    var contestants = selection.contestants();
    var settings = new LinkedHashMap<String, Object>();
    settings.put("rounds", rounds);
    settings.put("idle connections", connections);
    settings.put("JVM options of a server", Footprint.jvm());
    settings.put("seconds before memory is looked at", idle);
    var report = selection.report("footprint", "GraphQL echo: start, memory, size", settings);
    var footprint = new Footprint(rounds, connections, idle);
    for (var contestant : contestants) {
      if (footprint.measure(contestant, Contestant.QUERY, report)) {
        size(report, contestant.candidate(), contestant);
        report.write();
      }
    }
    return report.end();
  }

  private static void size(Report report, Candidate candidate, Contestant contestant)
      throws IOException {
    var jars = candidate.jars();
    var bytes = 0L;
    for (var jar : jars) {
      bytes += Files.size(jar);
    }
    report.add(contestant, "jars", Figure.single(jars.size(), ""));
    report.add(contestant, "MB of jars", Figure.single(bytes / 1e6, "MB"));
    report.add(contestant, "lines", Figure.single(lines(candidate.directory()), ""));
  }

  /** Lines of its Java that are neither empty nor a comment. */
  private static long lines(Path directory) throws IOException {
    try (var files = Files.walk(directory.resolve("src").resolve("main"))) {
      var count = 0L;
      for (var file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        count +=
            Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.matches("(//|/?\\*).*"))
                .count();
      }
      return count;
    }
  }
}
