// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Column;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.api.Routine;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose arguments may still hold {@link VariableRef}s. Which slots a row has is
 * settled here, whatever the variables; {@link OperationBuilder} settles the rest.
 */
sealed interface Template {

  /**
   * Reads a table.
   *
   * @param keys values that columns must equal, by column
   */
  record OfSelect(
      TableModel table, List<Slot> slots, RowArguments arguments, Map<String, Object> keys)
      implements Template {}

  /**
   * Calls a routine.
   *
   * @param arguments one for each parameter; null where none is given
   */
  record OfCall(Routine routine, List<@Nullable Object> arguments, List<Column> columns)
      implements Template {}

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
