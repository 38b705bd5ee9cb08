// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Delete;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.NativeQuery;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Script;
import dev.evita.api.Select;
import dev.evita.api.Update;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The estimated cost of an operation: <em>rows x (columns + nested costs)</em>.
 *
 * <p>The number of rows is one by key and along a to-one relationship; else the limit; without a
 * limit, a configured estimate. Aggregates cost as much as the rows they are computed over.
 *
 * <p>Computed once per plan; the limits' values are read from the arguments of each execution,
 * without allocation. Immutable.
 */
public final class Cost {

  private final @Nullable Parameter limit;
  private final double rows;
  private final int width;
  private final Cost[] nested;

  private Cost(@Nullable Parameter limit, double rows, int width, List<Cost> nested) {
    this.limit = limit;
    this.rows = rows;
    this.width = width;
    this.nested = nested.toArray(new Cost[0]);
  }

  /**
   * Estimates the cost of an operation.
   *
   * @param single whether it reads at most one row
   * @param estimatedRows the assumed size of a list without a limit
   */
  public static Cost of(Operation operation, boolean single, int estimatedRows) {
    return switch (operation) {
      case Select select -> of(select, single, estimatedRows);
      case Call call ->
          new Cost(call.limit(), single ? 1 : estimatedRows, call.outputs().size(), List.of());
      case Insert insert -> of(insert.returning(), null, single ? 1 : estimatedRows, estimatedRows);
      case Update update -> of(update.returning(), null, single ? 1 : estimatedRows, estimatedRows);
      case Delete delete -> of(delete.returning(), null, single ? 1 : estimatedRows, estimatedRows);
      case Script script -> new Cost(null, 1, 1, List.of());
      case NativeQuery query -> new Cost(null, 1, 1, List.of());
    };
  }

  private static Cost of(Select select, boolean single, int estimatedRows) {
    var rows = single ? 1 : estimatedRows;
    return of(select.outputs(), select.limit(), rows, estimatedRows);
  }

  private static Cost of(
      List<Output> outputs, @Nullable Parameter limit, double rows, int estimatedRows) {
    var width = 0;
    var nested = new ArrayList<Cost>();
    for (var output : outputs) {
      switch (output) {
        case Output.Nested(var relationship, var inner) ->
            nested.add(of(inner, relationship.single(), estimatedRows));
        case Output.Single single -> width++;
        case Output.Cast cast -> width++;
        case Output.Related related -> width++;
        case Output.Aggregate aggregate -> width++;
      }
    }
    return new Cost(limit, rows, width, nested);
  }

  /** The cost of an execution with these arguments. */
  public double with(Arguments arguments) {
    var each = (double) width;
    for (var inner : nested) {
      each += inner.with(arguments);
    }
    return each * rows(arguments);
  }

  private double rows(Arguments arguments) {
    return limit != null && arguments.get(limit) instanceof Number given
        ? given.doubleValue()
        : rows;
  }

  /**
   * Rejects an execution with these arguments if it costs more.
   *
   * @throws EvitaException {@code TOO_COSTLY}
   */
  public void requireAtMost(long most, Arguments arguments) {
    var cost = with(arguments);
    if (cost > most) {
      throw tooCostly(cost, most);
    }
  }

  /** The exception for a cost above the limit: {@code TOO_COSTLY}. */
  public static EvitaException tooCostly(double cost, long most) {
    return new EvitaException(
        HttpErrorCode.TOO_COSTLY,
        String.format(
            Locale.ROOT,
            "The estimated cost is %.0f, but max-cost is %d; lower the limits of lists"
                + " or nest fewer lists",
            cost,
            most));
  }
}
