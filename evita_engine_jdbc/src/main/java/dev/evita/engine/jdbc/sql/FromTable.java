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
 * Compared by identity, as a table may stand there several times.
 */
final class FromTable {

  private final Table table;
  private final @Nullable Join join;
  private final @Nullable SqlText rows;

  /**
   * How a row is found from one of another source.
   *
   * @param filter what it must pass as well; null for anything
   */
  record Join(FromTable from, Relationship relationship, @Nullable Filter filter) {}

  private FromTable(Table table, @Nullable Join join, @Nullable SqlText rows) {
    this.table = table;
    this.join = join;
    this.rows = rows;
  }

  /** The level's own. */
  static FromTable own(Table table) {
    return new FromTable(table, null, null);
  }

  /** The level's own, which another statement answers; the table says what they look like. */
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

  /** Null for the level's own. */
  @Nullable Join join() {
    return join;
  }

  /** The statement that answers the rows; null where the table has them. */
  @Nullable SqlText rows() {
    return rows;
  }

  /**
   * Whether a join finds these related rows: exactly one row for each that has one, which database
   * and engine hold to be the same.
   *
   * <p>A key of the target promises that, where it is compared in the way in which it is unique.
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
   * Whether the database looks at no more rows than it gives, so that none is joined in vain: rows
   * are skipped, sorted and numbered after they are joined.
   */
  static boolean givesWhatItJoins(Select select, Table table, boolean root) {
    if (!select.distinctOn().isEmpty() || select.offset() != null) {
      return false;
    }
    return select.limit() == null || (root && BoundednessCheck.inOrder(select, table));
  }
}
