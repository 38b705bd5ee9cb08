// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import java.util.List;
import java.util.Map;

/** Renders statements that call routines. */
@FunctionalInterface
public interface CallStatements {

  /** For databases without routines. */
  CallStatements NONE =
      (routine, arguments, columns) -> {
        throw new UnsupportedOperationException("no routines");
      };

  /**
   * Renders a call.
   *
   * @param arguments by the names of their parameters; absent ones have defaults
   * @param columns the columns of the result to select; a procedure returns all of its own
   */
  SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns);

  /** Returns the bind of a routine's parameter. */
  static Bind argument(
      ValueExpressions values, Routine routine, Column parameter, Parameter value) {
    var where = routine.name() + "." + parameter.name();
    return new Bind.Value(value, values.codec(parameter.type(), parameter.nativeType(), where));
  }
}
