// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls a routine. Of several that have the name, it is the one that {@link Catalog#requireRoutine}
 * names.
 *
 * @param schema the exact schema name
 * @param routine the exact routine name
 * @param arguments by the exact names of their parameters; those that have a default may be absent,
 *     which is another thing than null
 * @param outputs which of the routine's result columns come back, as {@link Output.Column}; none
 *     where it answers none
 */
public record Call(
    String schema, String routine, Map<String, Parameter> arguments, List<Output> outputs)
    implements Operation {
  public Call {
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    outputs = List.copyOf(outputs);
  }
}
