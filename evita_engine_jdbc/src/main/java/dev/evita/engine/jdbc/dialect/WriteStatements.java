// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Renders the statements that write rows. Immutable. */
public abstract class WriteStatements {

  /** Renders a statement that writes rows and returns them. */
  public abstract String returning(Write write, String statement, List<String> columns);

  /** The kind of write. */
  public enum Write {
    INSERT,
    UPDATE,
    DELETE
  }

  /** The maximum number of placeholders of a statement. */
  public int mostParameters() {
    return 30_000;
  }

  /**
   * An upsert.
   *
   * @param order for each placeholder of one row the position of its column
   */
  public record Upsert(String sql, List<Integer> order) {
    public Upsert {
      order = List.copyOf(order);
    }
  }

  /**
   * Renders an insert that updates or keeps an existing row of the same key.
   *
   * @param columns quoted names
   * @param rows the number of rows, at most {@link #mostUpsertRows}
   * @param update the columns to set; empty to keep the row
   */
  public Upsert upsert(
      String table, List<String> columns, int rows, List<String> keys, List<String> update) {
    var assignments =
        update.stream()
            .map(column -> column + " = excluded." + column)
            .collect(Collectors.joining(", "));
    var row = columns.stream().map(column -> "?").collect(Collectors.joining(", ", "(", ")"));
    var text =
        "insert into %s (%s) values %s on conflict (%s) do %s"
            .formatted(
                table,
                String.join(", ", columns),
                String.join(", ", Collections.nCopies(rows, row)),
                String.join(", ", keys),
                update.isEmpty() ? "nothing" : "update set " + assignments);
    return new Upsert(text, IntStream.range(0, columns.size()).boxed().toList());
  }

  /** The maximum number of rows of one upsert. */
  public int mostUpsertRows() {
    return Integer.MAX_VALUE;
  }

  /** The expression that sets a column to its default. */
  public String defaultValue(Table table, Column column) {
    return "default";
  }

  /**
   * Renders a sum that fails if the column's type cannot hold it.
   *
   * @param sum an expression with one parameter
   */
  public String sum(String sum, DataType type) {
    return sum;
  }

  /** Whether an upsert can conflict with a row inserted after its look-up. */
  public boolean upsertLosesRaces() {
    return false;
  }
}
