// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored function or procedure.
 *
 * <p>Several may have one name, as long as the names of their parameters differ.
 *
 * @param schema the exact schema name
 * @param name the exact routine name
 * @param parameters in call order; those with a {@link Column#defaultExpression()} may be left out
 * @param result the columns of the rows it answers; the one of {@link #scalar()}; none where it
 *     answers nothing, which is one row without columns
 * @param returnsMany whether it answers any number of rows, or exactly one
 * @param readOnly whether it changes nothing, so that a query may call it
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

  /** How the database calls it. */
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

  /** Whether it answers plain values: its result has one column, which has the routine's name. */
  public boolean scalar() {
    return result.size() == 1 && result.getFirst().name().equals(name);
  }

  /** What it answers as a view that has its name. Of one that answers something. */
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

  /** Whether it can be called with arguments for just these of its parameters. */
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
