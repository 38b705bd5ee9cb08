// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Report.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What a server costs beside time: how long until it answers, how much memory it takes, what it
 * brings along, how many lines its echo is. JVMs as they come, without options. Writes {@code
 * footprint.json}, {@code .md} and {@code .svg}.
 */
@Command(name = "footprint", mixinStandardHelpOptions = true, sortOptions = false)
final class FootprintComparison implements Callable<Integer> {

  @Mixin private Selection selection = new Selection();

  @Option(names = "--rounds", description = "default: ${DEFAULT-VALUE}")
  private int rounds = 5;

  @Option(names = "--connections", description = "that are idle (default: ${DEFAULT-VALUE})")
  private int connections = 10_000;

  @Option(
      names = "--idle",
      description = "seconds before memory is looked at (default: ${DEFAULT-VALUE})")
  private int idle = 3;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new FootprintComparison()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    var settings = new LinkedHashMap<String, Object>();
    settings.put("rounds", rounds);
    settings.put("seconds before memory is looked at", idle);
    var report = selection.report("footprint", "GraphQL echo: start, memory, size", settings);
    var footprint = new Footprint(rounds, connections, idle);
    for (var contestant : selection.contestants()) {
      footprint.measure(contestant, Contestant.QUERY, report);
      size(report, contestant.candidate(), contestant);
      report.write();
    }
    return 0;
  }

  private static void size(Report report, Candidate candidate, Contestant contestant)
      throws IOException {
    var jars = candidate.jars();
    var bytes = 0L;
    for (var jar : jars) {
      bytes += Files.size(jar);
    }
    report.add(contestant, "jars", single(jars.size(), ""));
    report.add(contestant, "MB of jars", single(bytes / 1e6, "MB"));
    report.add(contestant, "lines", single(lines(candidate.directory()), ""));
  }

  private static Figure single(double value, String unit) {
    return new Figure(value, value, value, unit);
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
