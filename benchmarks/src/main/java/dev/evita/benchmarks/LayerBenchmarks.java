// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The JMH benchmarks of this module. Arguments are those of JMH; {@code -h} lists them. */
@Command(
    name = "layer",
    mixinStandardHelpOptions = true,
    description = "parts of this layer, by JMH; arguments of JMH follow, such as -l or -prof gc")
final class LayerBenchmarks implements Callable<Integer> {

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    var given = arguments.isEmpty() ? List.of("-prof", "gc") : arguments;
    org.openjdk.jmh.Main.main(given.toArray(new String[0]));
    return 0;
  }
}
