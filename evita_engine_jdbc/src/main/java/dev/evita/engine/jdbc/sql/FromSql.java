// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.engine.jdbc.dialect.LevelKey;
import dev.evita.engine.jdbc.dialect.Sql;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * Renders the tables of a level's statement: the parents' keys where the database joins them, the
 * level's own table, and those of single related rows.
 */
final class FromSql {

  private final FilterSql filters;
  private final FromTable own;
  private final List<FromTable> joined;
  private final LevelKey key;
  private final Map<FromTable, String> aliases = new HashMap<>();

  /**
   * @param joined each after the one that it is found from
   */
  FromSql(FilterSql filters, FromTable own, List<FromTable> joined, LevelKey key) {
    this.filters = filters;
    this.own = own;
    this.joined = List.copyOf(joined);
    this.key = key;
    aliases.put(own, filters.sql().alias());
    joined.forEach(source -> aliases.put(source, filters.sql().alias()));
  }

  /** What a table is called. */
  String alias(FromTable source) {
    return Objects.requireNonNull(aliases.get(source));
  }

  /**
   * All of them.
   *
   * @param many whether rows of many parents are read
   */
  Table<?> tables(boolean many) {
    Table<?> tables = table(own);
    if (many && joinsKeys()) {
      tables = filters.dialect().keys().tuples(filters.sql(), key).join(tables).on(equalKeys());
    }
    for (var source : joined) {
      tables = tables.leftJoin(table(source)).on(found(source));
    }
    return tables;
  }

  private Table<?> table(FromTable source) {
    var rows = source.rows();
    var itself = rows == null ? Sql.table(source.table().name()) : filters.sql().derived(rows);
    return itself.as(DSL.quotedName(alias(source)));
  }

  private Condition found(FromTable source) {
    var join = Objects.requireNonNull(source.join());
    var start = join.from();
    var keys =
        filters.joined(
            start.table(), alias(start), join.relationship(), source.table(), alias(source));
    var filter = join.filter();
    return filter == null
        ? keys
        : keys.and(filters.condition(source.table(), alias(source), filter));
  }

  /** Whether many parents' keys are a relation of their own. */
  boolean joinsKeys() {
    return key.numbered() || (key.columns().size() > 1 && filters.dialect().keys().joinsTuples());
  }

  private Condition equalKeys() {
    return Objects.requireNonNull(key.join())
        .condition(
            i -> Sql.column("k", "k" + i), i -> Sql.column(alias(own), key.columns().get(i)));
  }
}
