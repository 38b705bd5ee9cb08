// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * Calls a routine.
 *
 * @param schema the exact schema name
 * @param routine the exact routine name
 * @param arguments one for each parameter of the routine, in its order
 * @param outputs which of the routine's result columns come back, as {@link Output.Column}
 */
public record Call(String schema, String routine, List<Parameter> arguments, List<Output> outputs)
    implements Operation {
  public Call {
    arguments = List.copyOf(arguments);
    outputs = List.copyOf(outputs);
  }
}
