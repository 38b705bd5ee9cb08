// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import dev.evita.benchmarks.BenchmarkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Writes through all APIs to each database while faults strike at random, and proves from what
 * clients saw that each acknowledged write is stored exactly once, and nothing by halves. The exit
 * status is 1 if a promise was broken.
 */
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "writes while servers, disks and connections fail; checks every promise")
public final class FaultSuite implements Callable<Integer> {

  /** Maximum number of violations printed per run. */
  private static final int PRINTED = 40;

  /** A database that can be chosen. */
  enum Choice {
    H2,
    SQLITE,
    POSTGRESQL;

    private DatabaseUnderTest open() throws IOException, InterruptedException {
      return switch (this) {
        case H2 -> EmbeddedDatabase.open(EmbeddedDatabase.Kind.H2);
        case SQLITE -> EmbeddedDatabase.open(EmbeddedDatabase.Kind.SQLITE);
        case POSTGRESQL -> PostgresDatabase.start();
      };
    }
  }

  @Option(
      names = "--seconds",
      converter = BenchmarkOptions.NotNegative.class,
      description =
          "for each database; each fault strikes once at least (default: ${DEFAULT-VALUE})")
  private int seconds = 200;

  @Option(
      names = "--databases",
      split = ",",
      description = "some of ${COMPLETION-CANDIDATES} (default: all)")
  private List<Choice> databases = List.of(Choice.values());

  @Option(
      names = "--faults",
      split = ",",
      description = "some of ${COMPLETION-CANDIDATES} (default: all that the database can have)")
  private Set<Fault> faults = EnumSet.allOf(Fault.class);

  @Option(names = "--seed", description = "gives the order of the faults (default: random)")
  private long seed = new Random().nextInt(1_000_000);

  @Override
  public Integer call() throws Exception {
    System.out.println("seed " + seed);
    var results = new ArrayList<FaultRun.Result>();
    for (var choice : databases) {
      var log = Files.createTempFile("evita-faults-" + choice + "-", ".log");
      var result = run(choice, faults, Duration.ofSeconds(seconds), seed, log);
      results.add(result);
      var violations = result.violations();
      violations.stream().limit(PRINTED).forEach(System.out::println);
      if (violations.isEmpty()) {
        Files.delete(log);
      } else {
        System.out.println(violations.size() + " violations; the server's log: " + log);
      }
    }
    System.out.println(
        "database | operations | requests | acknowledged | unknown | read | faults | log lines"
            + " | violations");
    results.forEach(each ->
        System.out.println(
            String.join(
                " | ",
                each.database(),
                "" + each.operations(),
                "" + each.requests(),
                "" + each.acknowledged(),
                "" + each.unknown(),
                "" + each.reads(),
                "" + each.strikes(),
                "" + each.logLines(),
                "" + each.violations().size())));
    return results.stream().allMatch(each -> each.violations().isEmpty()) ? 0 : 1;
  }

  /** Runs over one database. */
  static FaultRun.Result run(
      Choice choice, Set<Fault> faults, Duration atLeast, long seed, Path log) throws Exception {
    try (var database = choice.open()) {
      return new FaultRun(database, log, faults, new Random(seed)).run(atLeast);
    }
  }
}
