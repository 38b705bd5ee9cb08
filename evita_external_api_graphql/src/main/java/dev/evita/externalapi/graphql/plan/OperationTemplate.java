// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Column;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.api.Routine;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.PageArguments;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.model.TableModel;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose arguments may still hold {@code VariableRef}s. Which slots a row has is
 * settled here, whatever the variables; {@link OperationBuilder} settles the rest.
 */
public sealed interface OperationTemplate {

  /**
   * Reads a table.
   *
   * @param keys values that columns must equal, by column
   */
  record OfSelect(
      TableModel table, List<Slot> slots, RowArguments arguments, Map<String, Object> keys)
      implements OperationTemplate {}

  /**
   * Reads a page of a table.
   *
   * @param key the columns that make any order total
   * @param cursors whether rows tell their positions, in slots behind the others
   */
  record OfPage(
      TableModel table,
      List<Slot> slots,
      PageArguments arguments,
      List<String> key,
      boolean cursors)
      implements OperationTemplate {}

  /**
   * Calls a routine.
   *
   * @param parameters by their arguments' names
   * @param arguments those that are given
   */
  record OfCall(
      Routine routine,
      Map<String, Column> parameters,
      Map<String, @Nullable Object> arguments,
      List<Column> columns)
      implements OperationTemplate {}

  /**
   * Changes rows of a table. The arguments are as {@code Inputs} made them; null where there is
   * none.
   *
   * @param rows which of them
   * @param slots what comes back of each changed row
   * @param trail where the arguments stand, for messages; null at the root
   */
  record OfUpdate(
      TableModel table,
      RowChoice rows,
      @Nullable Object set,
      @Nullable Object inc,
      List<Slot> slots,
      @Nullable ValuePath trail)
      implements OperationTemplate {}

  /**
   * Removes rows of a table.
   *
   * @param rows which of them
   * @param columns the exact names of what comes back of each removed row
   */
  record OfDelete(TableModel table, RowChoice rows, List<String> columns)
      implements OperationTemplate {}

  /** Which rows are written. */
  sealed interface RowChoice {

    /**
     * Those of a {@code where}.
     *
     * @param trail where it stands, for messages
     */
    record ByFilter(@Nullable Object where, ValuePath trail) implements RowChoice {}

    /** The one of a primary key: an object with a value for each of its columns, by field. */
    record ByKey(Object columns) implements RowChoice {}
  }

  /** What a slot of a row holds. */
  sealed interface Slot {

    /** A column. */
    record OfColumn(String column) implements Slot {}

    /** Related rows. */
    record OfRows(Relationship relationship, OfSelect select) implements Slot {}

    /** An aggregate of a column. */
    record OfAggregate(Output.Function function, String column) implements Slot {}

    /**
     * How many rows.
     *
     * @param columns names of {@code select_column}; null where none are given
     */
    record OfCount(@Nullable Object columns, @Nullable Object distinct) implements Slot {}
  }
}
