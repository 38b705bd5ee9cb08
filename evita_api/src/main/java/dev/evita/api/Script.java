// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * One or more statements in the engine's own language, executed in order.
 *
 * <p>The rows of the last statement, if any, are passed to the sink; earlier rows are dropped. Not
 * atomic by itself: execute it in a {@link Transaction} if required. Parameters are written as
 * {@code ?}.
 *
 * @param text statements separated by semicolons
 * @param parameters the parameter of each {@code ?}, in the order of the text
 */
public record Script(String text, List<Parameter> parameters) implements Operation {
  public Script {
    parameters = List.copyOf(parameters);
  }

  /** A script without parameters. */
  public static Script of(String text) {
    return new Script(text, List.of());
  }
}
