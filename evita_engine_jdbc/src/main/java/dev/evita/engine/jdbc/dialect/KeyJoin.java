// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Relationship;
import dev.evita.api.Table;
import java.util.function.IntFunction;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Joins rows by the columns of a relationship, as the foreign key behind it does: it compares as
 * the key that is referred to, whatever the type and collation of the column that refers to it.
 */
public record KeyJoin(Table from, Relationship relationship, Table to, Dialect dialect) {

  /** Whether the rows of {@code to} are those that refer. */
  public boolean toRefers() {
    return to.foreignKeys().stream()
        .anyMatch(key ->
            key.columns().equals(relationship.toColumns())
                && key.target().equals(relationship.from())
                && key.targetColumns().equals(relationship.fromColumns()));
  }

  /**
   * Whether two rows belong together.
   *
   * @param start the columns of the row of {@code from}, position by position
   * @param end likewise those of the row of {@code to}
   */
  public Condition condition(IntFunction<Field<Object>> start, IntFunction<Field<Object>> end) {
    var toRefers = toRefers();
    var condition = DSL.noCondition();
    for (int i = 0; i < relationship.fromColumns().size(); i++) {
      var first = Columns.named(from, relationship.fromColumns().get(i));
      var last = Columns.named(to, relationship.toColumns().get(i));
      condition =
          condition.and(
              toRefers
                  ? dialect.keys().refers(end.apply(i), last, start.apply(i), first)
                  : dialect.keys().refers(start.apply(i), first, end.apply(i), last));
    }
    return condition;
  }
}
