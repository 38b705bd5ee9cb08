// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored function or procedure.
 *
 * <p>Routines may be overloaded if the names of their parameters differ.
 *
 * @param schema the exact schema name
 * @param name the exact routine name
 * @param parameters in call order; those with a {@link Column#defaultExpression()} may be omitted
 * @param result the columns of the returned rows; the one of {@link #scalar()}; none if it returns
 *     nothing, which is one row without columns
 * @param returnsMany whether it returns any number of rows, or exactly one
 * @param readOnly whether it changes no data, so that a query may call it
 */
public record Routine(
    String schema,
    String name,
    Kind kind,
    List<Column> parameters,
    List<Column> result,
    boolean returnsMany,
    boolean readOnly,
    @Nullable String comment) {

  /** The form of the call in the database. */
  public enum Kind {
    /** In an expression, or in the place of a table. */
    FUNCTION,
    /** By a statement of its own. */
    PROCEDURE
  }

  public Routine {
    parameters = List.copyOf(parameters);
    result = List.copyOf(result);
  }

  /** A function. */
  public Routine(
      String schema,
      String name,
      List<Column> parameters,
      List<Column> result,
      boolean returnsMany,
      boolean readOnly,
      @Nullable String comment) {
    this(schema, name, Kind.FUNCTION, parameters, result, returnsMany, readOnly, comment);
  }

  /** Whether it returns plain values: its result has one column, with the routine's name. */
  public boolean scalar() {
    return result.size() == 1 && result.getFirst().name().equals(name);
  }

  /** The result as a view with the routine's name. Only if the routine returns something. */
  public Table asView() {
    return new Table(
        new TableName(schema, name),
        Table.Kind.VIEW,
        result,
        null,
        List.of(),
        List.of(),
        List.of(),
        comment);
  }

  /** Whether it can be called with arguments for exactly these parameters. */
  public boolean takes(Set<String> arguments) {
    return arguments.stream().allMatch(this::has)
        && parameters.stream()
            .allMatch(parameter ->
                parameter.defaultExpression() != null || arguments.contains(parameter.name()));
  }

  private boolean has(String parameter) {
    return parameters.stream().anyMatch(each -> each.name().equals(parameter));
  }
}
