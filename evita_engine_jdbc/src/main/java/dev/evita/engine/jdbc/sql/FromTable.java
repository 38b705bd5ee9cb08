// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.LevelKey;
import dev.evita.engine.jdbc.dialect.SqlText;
import org.jspecify.annotations.Nullable;

/**
 * A table in a level's statement: its own, or one that is joined to it for a single related row.
 * Compared by identity, as a table may occur several times.
 */
final class FromTable {

  private final Table table;
  private final @Nullable Join join;
  private final @Nullable SqlText rows;

  /**
   * The join of a row to one of another source.
   *
   * @param filter a condition that the row must meet as well; null for none
   */
  record Join(FromTable from, Relationship relationship, @Nullable Filter filter) {}

  private FromTable(Table table, @Nullable Join join, @Nullable SqlText rows) {
    this.table = table;
    this.join = join;
    this.rows = rows;
  }

  /** The level's own table. */
  static FromTable own(Table table) {
    return new FromTable(table, null, null);
  }

  /** The level's own table, derived from another statement; {@code table} describes its rows. */
  static FromTable of(Table table, SqlText rows) {
    return new FromTable(table, null, rows);
  }

  static FromTable joined(FromTable from, Output.Nested nested, Table target) {
    var by = new Join(from, nested.relationship(), nested.select().where());
    return new FromTable(target, by, null);
  }

  Table table() {
    return table;
  }

  /** Null for the level's own table. */
  @Nullable Join join() {
    return join;
  }

  /** The statement that returns the rows; null if the table contains them. */
  @Nullable SqlText rows() {
    return rows;
  }

  /**
   * Whether related rows can be joined: exactly one row for each that has one, by the same equality
   * in database and engine.
   *
   * <p>A key of the target guarantees that, if it is compared in the way in which it is unique.
   */
  static boolean joins(Table from, Output.Nested nested, Table target, Dialect dialect) {
    var relationship = nested.relationship();
    return relationship.single()
        && isPlain(nested.select())
        && target.identifies(relationship.toColumns())
        && !LevelKey.of(relationship, from, target, dialect).numbered();
  }

  private static boolean isPlain(Select select) {
    return select.limit() == null
        && select.offset() == null
        && select.orderBy().isEmpty()
        && select.after().isEmpty()
        && select.before().isEmpty()
        && select.distinctOn().isEmpty()
        && select.groupBy().isEmpty()
        && !SelectCompiler.wholeAggregate(select);
  }

  /**
   * Whether the database visits no more rows than it returns, so that no join is wasted: rows are
   * skipped, sorted and numbered after they are joined.
   */
  static boolean givesWhatItJoins(Select select, Table table, boolean root) {
    if (!select.distinctOn().isEmpty() || select.offset() != null) {
      return false;
    }
    return select.limit() == null || (root && BoundednessCheck.inOrder(select, table));
  }
}
