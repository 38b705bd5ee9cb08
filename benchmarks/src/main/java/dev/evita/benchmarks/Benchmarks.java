// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.faults.FaultSuite;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The entry to all benchmarks: {@code mvn -pl benchmarks -am verify -Dbench=NAME
 * -Dbench.args="..."}. Without a name it lists them.
 */
@Command(
    name = "-Dbench=",
    description = "Runs a benchmark. Its options: -Dbench=<name> -Dbench.args=--help",
    mixinStandardHelpOptions = true,
    subcommands = {
      PublishedComparison.class,
      LoadComparison.class,
      FootprintComparison.class,
      ShopComparison.class,
      WrkComparison.class,
      TpcbComparison.class,
      CarpoolDemonstration.class,
      LayerBenchmarks.class,
      H2Floor.Floor.class,
      RowStreams.Streams.class,
      LiveSubscriptions.Live.class,
      SchemaChange.Schema.class,
      Soak.class,
      FaultSuite.class,
      CommandLine.HelpCommand.class
    })
public final class Benchmarks implements Callable<Integer> {

  @Spec private CommandSpec specification;

  /** Runs the benchmark that the first argument names, and ends the process. */
  public static void main(String[] arguments) {
    ChildProcesses.addDescendants();
    System.exit(BenchmarkOptions.execute(new Benchmarks(), arguments));
  }

  @Override
  public Integer call() {
    specification.commandLine().usage(System.out);
    return CommandLine.ExitCode.OK;
  }
}
