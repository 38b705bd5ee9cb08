// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Catalog;
import dev.evita.api.Output;
import dev.evita.api.RowShape;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.LevelKey;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.value.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a select, level by level, into {@link SelectLevel}s.
 *
 * <p>Single related rows are joined to their level where they can be, as {@link FromTable} tells;
 * all others are levels of their own. The statement of a level selects, each once: the columns of
 * its slots, those that its children join by, and (below the root) its own key. {@link SelectSql}
 * renders it.
 */
public final class SelectCompiler {

  /** Databases plan joins of a few tables well. */
  private static final int MOST_JOINS = 8;

  private final Catalog catalog;
  private final Dialect dialect;
  private final AggregateSql aggregates;
  private final ScalarSql singles;

  public SelectCompiler(Catalog catalog, Dialect dialect) {
    this.catalog = catalog;
    this.dialect = dialect;
    this.aggregates = new AggregateSql(dialect);
    this.singles = new ScalarSql(dialect);
  }

  /** Compiles the whole tree. */
  public SelectLevel compile(Select select) {
    return compile(select, LevelKey.NONE, true);
  }

  /** The same for rows that a statement returns which writes them: nothing is joined to these. */
  public SelectLevel compileWritten(Select select) {
    return compile(select, LevelKey.NONE, false);
  }

  /**
   * Compiles a select of rows that are no table's.
   *
   * @param view what they look like
   * @param rows the statement that answers them
   */
  public SelectLevel compile(Select select, Table view, SqlText rows) {
    new SelectRules(select, view).check();
    return new LevelBuilder(select, FromTable.of(view, rows), LevelKey.NONE, false).build();
  }

  private SelectLevel compile(Select select, LevelKey levelKey, boolean read) {
    var table = catalog.requireTable(select.from());
    new SelectRules(select, table).check();
    var joins = read && FromTable.givesWhatItJoins(select, table, levelKey.ofRoot());
    return new LevelBuilder(select, FromTable.own(table), levelKey, joins).build();
  }

  private Codec codec(Table table, String name) {
    var column = Columns.named(table, name);
    return dialect.values().codec(column.type(), column.nativeType(), table.name() + "." + name);
  }

  /** Collects what a level's statement selects while walking its outputs. */
  private final class LevelBuilder {
    private final Select select;
    private final FromTable own;
    private final LevelKey levelKey;
    private final boolean joins;
    private final List<FromTable> joined = new ArrayList<>();
    private final List<ResultColumn> physical = new ArrayList<>();
    private final List<SelectLevel.Child> children = new ArrayList<>();

    LevelBuilder(Select select, FromTable own, LevelKey levelKey, boolean joins) {
      this.select = select;
      this.own = own;
      this.levelKey = levelKey;
      this.joins = joins;
    }

    SelectLevel build() {
      var part = part(own, select.outputs());
      var key =
          levelKey.numbered()
              ? new int[] {add(ResultColumn.Numbered.of(dialect))}
              : plain(own, levelKey.columns());
      if (physical.isEmpty()) {
        plain(own, own.table().columns().getFirst().name());
      }
      return level(part, key);
    }

    private SlotMapping part(FromTable source, List<Output> outputs) {
      var slots = new int[outputs.size()];
      var shown = new ArrayList<RowShape.Slot>();
      var related = new ArrayList<SlotMapping.Related>();
      for (int i = 0; i < slots.length; i++) {
        if (outputs.get(i) instanceof Output.Nested nested) {
          slots[i] = ~related.size();
          related.add(related(source, nested));
          shown.add(slot(nested, related.getLast()));
        } else {
          slots[i] = value(source, outputs.get(i));
          var column = physical.get(slots[i]);
          shown.add(new RowShape.ValueSlot(column.name(), column.codec().type()));
        }
      }
      return new SlotMapping(new RowShape(shown), slots, related);
    }

    private int value(FromTable source, Output output) {
      var table = source.table();
      return switch (output) {
        case Output.Column column -> plain(source, column.column());
        case Output.Aggregate aggregate ->
            add(new ResultColumn.Aggregated(aggregate, aggregates.codec(table, aggregate)));
        case Output.Related related -> {
          var sql = new FilterSql(catalog, dialect, new Sql(dialect.jooq()));
          var codec = new OrderSql(sql, table, "").codec(related.path(), related.value());
          yield add(new ResultColumn.Reached(source, related, codec));
        }
        case Output.Path path ->
            add(new ResultColumn.Made(source, path, singles.codec(table, path)));
        case Output.Cast cast ->
            add(new ResultColumn.Made(source, cast, singles.codec(table, cast)));
        case Output.Nested nested -> throw new IllegalArgumentException("no value: " + nested);
      };
    }

    private int add(ResultColumn column) {
      physical.add(column);
      return physical.size() - 1;
    }

    private int plain(FromTable source, String name) {
      for (int i = 0; i < physical.size(); i++) {
        if (physical.get(i) instanceof ResultColumn.Plain(var of, var column, var codec)
            && of.equals(source)
            && column.equals(name)) {
          return i;
        }
      }
      return add(new ResultColumn.Plain(source, name, codec(source.table(), name)));
    }

    private int[] plain(FromTable source, List<String> names) {
      return names.stream().mapToInt(name -> plain(source, name)).toArray();
    }

    private SlotMapping.Related related(FromTable source, Output.Nested nested) {
      var relationship = nested.relationship();
      SelectRules.requireFits(source.table(), nested);
      var target = catalog.requireTable(relationship.to());
      if (joins
          && joined.size() < MOST_JOINS
          && FromTable.joins(source.table(), nested, target, dialect)) {
        new SelectRules(nested.select(), target).check();
        var other = FromTable.joined(source, nested, target);
        joined.add(other);
        var presence = plain(other, relationship.toColumns().getFirst());
        return new SlotMapping.Related.Beside(part(other, nested.select().outputs()), presence);
      }
      var key = LevelKey.of(relationship, source.table(), target, dialect);
      var level = compile(nested.select(), key, true);
      children.add(new SelectLevel.Child(level, plain(source, relationship.fromColumns())));
      return new SlotMapping.Related.Below(children.size() - 1);
    }

    private RowShape.Slot slot(Output.Nested nested, SlotMapping.Related related) {
      var relationship = nested.relationship();
      return switch (related) {
        case SlotMapping.Related.Beside(var part, var presence) ->
            new RowShape.NestedSlot(relationship.name(), true, part.shape());
        case SlotMapping.Related.Below(var child) -> {
          var level = children.get(child).level();
          var single = relationship.single() && level.zeroWhenEmpty().length == 0;
          yield new RowShape.NestedSlot(relationship.name(), single, level.shape());
        }
      };
    }

    private SelectLevel level(SlotMapping part, int[] key) {
      var codecs = physical.stream().map(ResultColumn::codec).toArray(Codec[]::new);
      var keyCodecs = levelKey.codecs().toArray(Codec[]::new);
      // Rendered now, because rendering looks all names up.
      var all = sql(key.length == 0 ? SelectSql.Mode.ROOT : SelectSql.Mode.MANY);
      return new SelectLevel(
          part,
          ofRow(),
          codecs,
          children,
          key,
          keyCodecs,
          levelKey.numbered(),
          all,
          Once.of(() -> sql(SelectSql.Mode.ONE)),
          zeroWhenEmpty(key.length > 0));
    }

    private List<String> ofRow() {
      var sql = new Sql(dialect.jooq());
      var expressions = new ArrayList<String>();
      for (var column : physical) {
        switch (column) {
          case ResultColumn.Plain plain -> expressions.add(sql.quoted(plain.column()));
          case ResultColumn.Made(var source, var output, var codec) ->
              expressions.add(sql.text(singles.selected(source.table(), "", output)).sql());
          case ResultColumn.Aggregated aggregated -> {}
          case ResultColumn.Numbered numbered -> {}
          case ResultColumn.Reached reached -> {}
        }
      }
      return expressions;
    }

    private SqlText sql(SelectSql.Mode mode) {
      return new SelectSql(catalog, dialect, select, own, joined, levelKey, physical).render(mode);
    }

    private boolean[] zeroWhenEmpty(boolean belowRoot) {
      if (!belowRoot || !wholeAggregate(select)) {
        return new boolean[0];
      }
      var zero = new boolean[physical.size()];
      for (int i = 0; i < zero.length; i++) {
        zero[i] =
            physical.get(i) instanceof ResultColumn.Aggregated aggregated
                && aggregated.aggregate().function() == Output.Function.COUNT;
      }
      return zero;
    }
  }

  /** Whether the select answers one row over all (or, below the root, each parent's) rows. */
  static boolean wholeAggregate(Select select) {
    return select.groupBy().isEmpty()
        && select.outputs().stream().anyMatch(Output.Aggregate.class::isInstance);
  }

  /** A value that is made when it is first asked for. */
  private static final class Once<T> implements Supplier<T> {
    private final Supplier<T> maker;
    private volatile @Nullable T made;

    private Once(Supplier<T> maker) {
      this.maker = maker;
    }

    static <T> Once<T> of(Supplier<T> maker) {
      return new Once<>(maker);
    }

    @Override
    public T get() {
      var value = made;
      if (value == null) {
        value = maker.get();
        made = value;
      }
      return value;
    }
  }
}
