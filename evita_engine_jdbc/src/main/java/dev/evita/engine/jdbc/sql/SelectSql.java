// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Catalog;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.LevelKey;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.SqlText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.SelectGroupByStep;
import org.jooq.SelectLimitStep;
import org.jooq.SortField;
import org.jooq.impl.DSL;

/**
 * Renders the statement of one level.
 *
 * <p>The plain form is {@code select ... from t where ... order by ... limit}. Where rows are
 * chosen per parent or per combination of {@code distinctOn}, they are numbered by window functions
 * in an inner select that exports the columns as {@code c0, c1, ...} and the terms of the order as
 * {@code o0, o1, ...}:
 *
 * <pre>
 * inner   c*, o*, row_number() over (partition by key, distinctOn order by ...) as d
 * middle  c*, o*, row_number() over (partition by key order by o*) as n    where d = 1
 * outer   c*                                where n in the limits         order by o*
 * </pre>
 *
 * <p>Aggregates over chosen rows stand over the outermost of these.
 */
final class SelectSql {

  /** For whom the rows are read. */
  enum Mode {
    /** Nobody: the root. */
    ROOT,
    /** A single parent. */
    ONE,
    /** Any number of parents. */
    MANY
  }

  /** What the number of the parent's key is called between selects. */
  static final String PARENT = "#parent";

  private static final String FIRST = "d";
  private static final String NUMBER = "n";
  private static final String SOURCE = "s";

  private final Dialect dialect;
  private final Select select;
  private final Table table;
  private final LevelKey key;
  private final List<ResultColumn> physical;
  private final Sql sql;
  private final FilterSql filters;
  private final OrderSql orders;
  private final String alias;
  private final FromSql from;

  /**
   * @param joined to the level's own table, each after those that it is found from
   */
  SelectSql(
      Catalog catalog,
      Dialect dialect,
      Select select,
      FromTable own,
      List<FromTable> joined,
      LevelKey key,
      List<ResultColumn> physical) {
    this.dialect = dialect;
    this.select = select;
    this.table = own.table();
    this.key = key;
    this.physical = List.copyOf(physical);
    this.sql = new Sql(dialect.jooq());
    this.filters = new FilterSql(catalog, dialect, sql);
    this.from = new FromSql(filters, own, joined, key);
    this.alias = from.alias(own);
    this.orders = new OrderSql(filters, table, alias);
  }

  SqlText render(Mode mode) {
    if (!select.groupBy().isEmpty()) {
      return grouped(mode);
    }
    return SelectCompiler.wholeAggregate(select) ? aggregated(mode) : rows(mode);
  }

  // ---------------------------------------------------------------- rows

  private SqlText rows(Mode mode) {
    if (!windowed(mode)) {
      var rows =
          DSL.select(fields(alias))
              .from(from.tables(mode == Mode.MANY))
              .where(where(mode))
              .orderBy(sorted(ordered()));
      return sql.text(limited(rows));
    }
    var names = physical.stream().map(ResultColumn::name).toList();
    return sql.text(chosen(mode, names, fields(alias), true));
  }

  private boolean windowed(Mode mode) {
    return !select.distinctOn().isEmpty() || limitedPerParent(mode);
  }

  private boolean limitedPerParent(Mode mode) {
    return mode == Mode.MANY && (select.limit() != null || select.offset() != null);
  }

  /** What a table is called: in the innermost select, or in one around it. */
  private String alias(FromTable of, String source) {
    return of.join() == null ? source : from.alias(of);
  }

  private List<Field<Object>> fields(String source) {
    var fields = new ArrayList<Field<Object>>();
    for (var each : physical) {
      fields.add(
          switch (each) {
            case ResultColumn.Plain(var of, var column, var codec) ->
                dialect.values().selected(Sql.column(alias(of, source), column), codec);
            case ResultColumn.Made(var of, var output, var codec) ->
                filters.singles().selected(of.table(), alias(of, source), output);
            case ResultColumn.Reached(var of, var related, var codec) ->
                new OrderSql(filters, of.table(), alias(of, source)).selected(related);
            case ResultColumn.Aggregated aggregated ->
                filters.aggregates().selected(table, source, aggregated.aggregate());
            case ResultColumn.Numbered numbered -> number(source);
          });
    }
    return fields;
  }

  /** The number of the parent's key, in the innermost select or outside of it. */
  private Field<Object> number(String source) {
    return source.equals(alias) ? Sql.column("k", NUMBER) : Sql.column(source, PARENT);
  }

  private Condition where(Mode mode) {
    var condition = DSL.noCondition();
    condition =
        switch (mode) {
          case ROOT -> condition;
          case ONE -> condition.and(ofOneParent());
          case MANY -> condition.and(ofParents());
        };
    var where = select.where();
    if (where != null) {
      condition = condition.and(filters.condition(table, alias, where));
    }
    if (!select.after().isEmpty()) {
      condition = condition.and(orders.after(select.orderBy(), ordered(), select.after()));
    }
    return select.before().isEmpty()
        ? condition
        : condition.and(orders.before(select.orderBy(), ordered(), select.before()));
  }

  private Condition ofOneParent() {
    var condition = DSL.noCondition();
    for (int i = 0; i < key.columns().size(); i++) {
      var codec = key.codecs().get(i);
      var place = dialect.values().placed(sql.place(new Bind.KeyPart(i, codec)), codec);
      condition = condition.and(filters.compared(table, alias, key.columns().get(i)).eq(place));
    }
    return condition;
  }

  private Condition ofParents() {
    if (from.joinsKeys()) {
      return DSL.noCondition();
    }
    var columns = key.columns().stream().map(name -> Sql.column(alias, name)).toList();
    if (columns.size() > 1) {
      return dialect.keys().inTuples(sql, columns, key.codecs());
    }
    var codec = key.codecs().getFirst();
    return dialect.values().in(columns.getFirst(), codec, sql.place(new Bind.KeyParts(0, codec)));
  }

  private List<Field<Object>> ordered() {
    return select.orderBy().stream().map(orders::term).toList();
  }

  private List<SortField<Object>> sorted(List<Field<Object>> fields) {
    var sorted = new ArrayList<SortField<Object>>();
    for (int i = 0; i < fields.size(); i++) {
      var order = select.orderBy().get(i);
      sorted.add(Sql.sorted(fields.get(i), order, orders.mayBeNull(order)));
    }
    return sorted;
  }

  private org.jooq.Select<?> limited(SelectLimitStep<?> rows) {
    var limit = select.limit();
    var offset = select.offset();
    if (limit == null && offset == null) {
      return rows;
    }
    if (limit == null) {
      var skipped = sql.place(new Bind.Count(Objects.requireNonNull(offset), 0));
      return rows.offset(skipped.coerce(Long.class));
    }
    var step = rows.limit(sql.place(new Bind.Count(limit, Long.MAX_VALUE)).coerce(Long.class));
    return offset == null
        ? step
        : step.offset(sql.place(new Bind.Count(offset, 0)).coerce(Long.class));
  }

  // ---------------------------------------------------------------- chosen rows

  /**
   * The rows that distinct and limits choose, as {@code c0, c1, ...}.
   *
   * @param columns the names of the values, where these are columns
   */
  private org.jooq.Select<?> chosen(
      Mode mode, List<String> columns, List<Field<Object>> values, boolean ordered) {
    var perParent = limitedPerParent(mode);
    var inner = numbered(mode, values);
    if (!select.distinctOn().isEmpty()) {
      var first = Sql.column(SOURCE, FIRST).eq(DSL.inline(1));
      if (!perParent) {
        var rows =
            DSL.select(exported("c", columns.size()))
                .from(inner.asTable(SOURCE))
                .where(first)
                .orderBy(exportedOrders());
        return limited(rows);
      }
      var fields = new ArrayList<Field<?>>(exported("c", columns.size()));
      fields.addAll(exported("o", select.orderBy().size()));
      fields.add(rowNumber(exportedKeys(columns), exportedOrders()).as(DSL.quotedName(NUMBER)));
      inner = DSL.select(fields).from(inner.asTable(SOURCE)).where(first);
    }
    var rows =
        DSL.select(exported("c", columns.size())).from(inner.asTable(SOURCE)).where(withinLimits());
    return ordered ? rows.orderBy(exportedOrders()) : rows;
  }

  private org.jooq.Select<?> numbered(Mode mode, List<Field<Object>> values) {
    var distinct = !select.distinctOn().isEmpty();
    var terms = ordered();
    var fields = new ArrayList<Field<?>>();
    for (int i = 0; i < values.size(); i++) {
      fields.add(values.get(i).as(DSL.quotedName("c" + i)));
    }
    for (int i = 0; i < terms.size(); i++) {
      fields.add(terms.get(i).as(DSL.quotedName("o" + i)));
    }
    var over = new ArrayList<Field<Object>>(keys(alias));
    select.distinctOn().forEach(name -> over.add(filters.compared(table, alias, name)));
    var name = distinct ? FIRST : NUMBER;
    fields.add(rowNumber(over, sorted(terms)).as(DSL.quotedName(name)));
    return DSL.select(fields).from(from.tables(mode == Mode.MANY)).where(where(mode));
  }

  private Field<Object> selected(String column) {
    return dialect.values().selected(Sql.column(alias, column), filters.codec(table, column));
  }

  private static Field<?> rowNumber(List<Field<Object>> over, List<SortField<Object>> orders) {
    return DSL.rowNumber().over(DSL.partitionBy(over).orderBy(orders));
  }

  private static List<Field<Object>> exported(String prefix, int count) {
    var fields = new ArrayList<Field<Object>>();
    for (int i = 0; i < count; i++) {
      fields.add(Sql.column(SOURCE, prefix + i));
    }
    return fields;
  }

  private List<SortField<Object>> exportedOrders() {
    return sorted(exported("o", select.orderBy().size()));
  }

  private List<Field<Object>> exportedKeys(List<String> columns) {
    return keyNames().stream()
        .map(name -> Sql.column(SOURCE, "c" + columns.indexOf(name)))
        .toList();
  }

  private Condition withinLimits() {
    var number = Sql.column(SOURCE, NUMBER);
    var condition = DSL.noCondition();
    var offset = select.offset();
    if (offset != null) {
      condition = condition.and(number.gt(sql.place(new Bind.Count(offset, 0))));
    }
    var limit = select.limit();
    return limit == null
        ? condition
        : condition.and(number.le(sql.place(new Bind.Last(offset, limit))));
  }

  // ---------------------------------------------------------------- aggregates

  private SqlText aggregated(Mode mode) {
    var choice =
        select.limit() != null || select.offset() != null || !select.distinctOn().isEmpty();
    if (!choice) {
      var rows = DSL.select(fields(alias)).from(from.tables(mode == Mode.MANY)).where(where(mode));
      return sql.text(byKey(rows, alias));
    }
    var columns = List.copyOf(needed());
    var values =
        columns.stream().map(name -> name.equals(PARENT) ? number(alias) : selected(name)).toList();
    var source = windowed(mode) ? chosen(mode, columns, values, false) : limitedRows(mode, columns);
    var derived = source.asTable(SOURCE, columns.toArray(String[]::new));
    var rows = DSL.select(fields(SOURCE)).from(derived);
    return sql.text(byKey(rows, SOURCE));
  }

  private org.jooq.Select<?> limitedRows(Mode mode, List<String> columns) {
    var fields = columns.stream().map(column -> Sql.column(alias, column)).toList();
    return limited(
        DSL.select(fields)
            .from(from.tables(mode == Mode.MANY))
            .where(where(mode))
            .orderBy(sorted(ordered())));
  }

  /** Grouped by nothing, an aggregate has one row; jOOQ's empty group by has none in SQLite. */
  private org.jooq.Select<?> byKey(SelectGroupByStep<?> rows, String source) {
    return key.ofRoot() ? rows : rows.groupBy(keys(source));
  }

  private Set<String> needed() {
    var needed = new LinkedHashSet<String>(keyNames());
    for (var each : physical) {
      switch (each) {
        case ResultColumn.Plain plain -> needed.add(plain.column());
        case ResultColumn.Aggregated aggregated -> needed.addAll(aggregated.aggregate().columns());
        case ResultColumn.Numbered numbered -> needed.add(numbered.name());
        case ResultColumn.Reached reached -> throw new IllegalStateException("beside: " + reached);
        case ResultColumn.Made made -> throw new IllegalStateException("beside: " + made);
      }
    }
    if (needed.isEmpty()) {
      needed.add(table.columns().getFirst().name());
    }
    return needed;
  }

  private List<Field<Object>> keys(String source) {
    return key.numbered()
        ? List.of(number(source))
        : key.columns().stream().map(column -> Sql.column(source, column)).toList();
  }

  private List<String> keyNames() {
    return key.numbered() ? List.of(PARENT) : key.columns();
  }

  // ---------------------------------------------------------------- groups

  private SqlText grouped(Mode mode) {
    select
        .groupBy()
        .forEach(column -> dialect.values().requireGroups(filters.codec(table, column)));
    var groupFields = new LinkedHashSet<Field<Object>>(keys(alias));
    select.groupBy().forEach(column -> groupFields.add(Sql.column(alias, column)));
    if (!limitedPerParent(mode)) {
      var groups =
          DSL.select(fields(alias))
              .from(from.tables(mode == Mode.MANY))
              .where(where(mode))
              .groupBy(groupFields);
      return sql.text(limited(groups.orderBy(sorted(ordered()))));
    }
    var fields = new ArrayList<Field<?>>();
    var values = fields(alias);
    for (int i = 0; i < values.size(); i++) {
      fields.add(values.get(i).as(DSL.quotedName("c" + i)));
    }
    var terms = ordered();
    for (int i = 0; i < terms.size(); i++) {
      fields.add(terms.get(i).as(DSL.quotedName("o" + i)));
    }
    fields.add(rowNumber(keys(alias), sorted(terms)).as(DSL.quotedName(NUMBER)));
    var inner =
        DSL.select(fields)
            .from(from.tables(mode == Mode.MANY))
            .where(where(mode))
            .groupBy(groupFields);
    return sql.text(
        DSL.select(exported("c", values.size()))
            .from(inner.asTable(SOURCE))
            .where(withinLimits())
            .orderBy(exportedOrders()));
  }
}
