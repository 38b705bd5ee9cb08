// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import java.util.List;
import java.util.Map;

/** The statements that call routines. */
@FunctionalInterface
public interface CallStatements {

  /** Of a database without routines. */
  CallStatements NONE =
      (routine, arguments, columns) -> {
        throw new UnsupportedOperationException("no routines");
      };

  /**
   * The text of a call.
   *
   * @param arguments by the names of their parameters; those that are absent have defaults
   * @param columns which columns of the result to select; a procedure answers all of its own
   */
  SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns);

  /** What the place of a routine's parameter is bound to. */
  static Bind argument(
      ValueExpressions values, Routine routine, Column parameter, Parameter value) {
    var where = routine.name() + "." + parameter.name();
    return new Bind.Value(value, values.codec(parameter.type(), parameter.nativeType(), where));
  }
}
