// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The statements that write rows. Immutable. */
public abstract class WriteStatements {

  /** The text of a statement that writes and answers the rows. */
  public abstract String returning(Write write, String statement, List<String> columns);

  /** What a statement does to rows. */
  public enum Write {
    INSERT,
    UPDATE,
    DELETE
  }

  /** Most placeholders of a statement. */
  public int mostParameters() {
    return 30_000;
  }

  /**
   * The text of an upsert.
   *
   * @param order for each placeholder of one row the position of its column
   */
  public record Upsert(String sql, List<Integer> order) {
    public Upsert {
      order = List.copyOf(order);
    }
  }

  /**
   * An insert that changes or leaves the row whose key is there.
   *
   * @param columns quoted names
   * @param rows how many rows, at most {@link #mostUpsertRows}
   * @param update those of the columns that are set; empty to leave the row
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

  /** Most rows of one upsert. */
  public int mostUpsertRows() {
    return Integer.MAX_VALUE;
  }

  /** What a column is set to for its default. */
  public String defaultValue(Table table, Column column) {
    return "default";
  }

  /**
   * A sum that fails where the column's type cannot hold it.
   *
   * @param sum an expression with one parameter
   */
  public String sum(String sum, DataType type) {
    return sum;
  }

  /** Whether an upsert can meet a row that came after it had looked for one. */
  public boolean upsertLosesRaces() {
    return false;
  }
}
