// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Relationship;
import dev.evita.api.Table;
import java.util.function.IntFunction;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Joins rows by the columns of a relationship with the semantics of its foreign key: values compare
 * as the referenced key, whatever the type and collation of the referring column.
 */
public record KeyJoin(Table from, Relationship relationship, Table to, Dialect dialect) {

  /** Whether the rows of {@code to} are the referring ones. */
  public boolean toRefers() {
    return to.foreignKeys().stream()
        .anyMatch(key ->
            key.columns().equals(relationship.toColumns())
                && key.target().equals(relationship.from())
                && key.targetColumns().equals(relationship.fromColumns()));
  }

  /**
   * Renders the join condition.
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
