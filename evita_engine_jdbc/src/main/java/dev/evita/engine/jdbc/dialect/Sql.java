// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Log;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.SQLDialect;
import org.jooq.SortField;
import org.jooq.Table;
import org.jooq.conf.ParamCastMode;
import org.jooq.conf.ParamType;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.tools.JooqLogger;

/**
 * Renders one statement with jOOQ.
 *
 * <p>jOOQ may render the parts of a statement in another order than they were created in. So each
 * placeholder carries, as jOOQ's bind value, its number in our list; after rendering, jOOQ returns
 * the numbers in the order of the text.
 */
public final class Sql {

  private static final Settings SETTINGS =
      new Settings()
          .withRenderQuotedNames(RenderQuotedNames.ALWAYS)
          .withParamType(ParamType.INDEXED)
          .withParamCastMode(ParamCastMode.NEVER)
          .withStatementType(StatementType.PREPARED_STATEMENT)
          .withRenderFormatted(false);

  static {
    // jOOQ logs a banner on its first rendering. Its system property against that is global to the
    // process; so its log is suppressed during that rendering.
    JooqLogger.globalThreshold(Log.Level.WARN);
    DSL.using(SQLDialect.H2, SETTINGS).render(DSL.selectOne());
    JooqLogger.globalThreshold(Log.Level.TRACE);
  }

  private final DSLContext dsl;
  private final List<Bind> binds = new ArrayList<>();
  private int aliases;

  public Sql(SQLDialect dialect) {
    this.dsl = DSL.using(dialect, SETTINGS);
  }

  /** Returns a placeholder. */
  public Field<Object> place(Bind bind) {
    binds.add(bind);
    return DSL.val(binds.size() - 1, SQLDataType.INTEGER).coerce(Object.class);
  }

  /** Returns an alias that is new in this statement. */
  public String alias() {
    return "t" + aliases++;
  }

  public static Table<?> table(TableName name) {
    return DSL.table(name(name));
  }

  /** Renders another statement as a derived table. */
  public Table<?> derived(SqlText rows) {
    return DSL.table("(" + rows.sql() + ")", rows.binds().stream().map(this::place).toArray());
  }

  static Name name(TableName name) {
    return name.schema().isEmpty()
        ? DSL.quotedName(name.table())
        : DSL.quotedName(name.schema(), name.table());
  }

  /** A column of a table or alias; of the only table if the alias is empty. */
  public static Field<Object> column(String alias, String column) {
    return alias.isEmpty()
        ? column(column)
        : DSL.field(DSL.quotedName(alias, column), SQLDataType.OTHER);
  }

  static Field<Object> column(String column) {
    return DSL.field(DSL.quotedName(column), SQLDataType.OTHER);
  }

  /** Renders an order term; specifies the position of nulls only if there may be some. */
  public static SortField<Object> sorted(
      Field<Object> field, dev.evita.api.Order order, boolean mayBeNull) {
    var sorted =
        switch (order.direction()) {
          case ASCENDING -> field.asc();
          case DESCENDING -> field.desc();
        };
    if (!mayBeNull) {
      return sorted;
    }
    return switch (order.nulls()) {
      case FIRST -> sorted.nullsFirst();
      case LAST -> sorted.nullsLast();
    };
  }

  /** Quotes a name for the database. */
  public String quoted(String name) {
    return dsl.render(DSL.quotedName(name));
  }

  public List<String> quoted(List<String> names) {
    return names.stream().map(this::quoted).toList();
  }

  public String quoted(TableName table) {
    return dsl.render(name(table));
  }

  /** Renders a statement or a part of one, with its binds in the order of the text. */
  public SqlText text(QueryPart part) {
    var ordered = new ArrayList<Bind>();
    for (Object number : dsl.extractBindValues(part)) {
      ordered.add(binds.get((Integer) number));
    }
    return new SqlText(dsl.render(part), ordered);
  }
}
