// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Catalog;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.RowShape;
import dev.evita.api.Select;
import dev.evita.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a select, level by level, into {@link Level}s.
 *
 * <p>The statement of a level selects, each once: the columns of its slots, those that its children
 * join by, and (below the root) its own key. {@link SelectSql} renders it.
 */
final class Compiler {

  /** A column of a level's statement. */
  sealed interface Physical {
    Codec codec();

    /** What a slot of it is called. */
    String name();
  }

  /** A column of the table. */
  record Plain(String column, Codec codec) implements Physical {
    @Override
    public String name() {
      return column;
    }
  }

  /** A value made of a column of the table. */
  record Made(Output output, Codec codec) implements Physical {
    @Override
    public String name() {
      return "value";
    }
  }

  /** An aggregate. */
  record Aggregated(Output.Aggregate aggregate, Codec codec) implements Physical {
    @Override
    public String name() {
      return aggregate.function().name().toLowerCase(Locale.ROOT);
    }
  }

  /** The number of the parent's key. */
  record Numbered(Codec codec) implements Physical {
    @Override
    public String name() {
      return SelectSql.PARENT;
    }
  }

  /** A value of another table. */
  record Reached(Output.Related related, Codec codec) implements Physical {
    @Override
    public String name() {
      var relationships = related.path().stream().map(Relationship::name);
      return relationships.collect(Collectors.joining("."));
    }
  }

  private final Catalog catalog;
  private final Dialect dialect;
  private final AggregateSql aggregates;
  private final SingleSql singles;

  Compiler(Catalog catalog, Dialect dialect) {
    this.catalog = catalog;
    this.dialect = dialect;
    this.aggregates = new AggregateSql(dialect);
    this.singles = new SingleSql(dialect);
  }

  /** Compiles the whole tree. */
  Level compile(Select select) {
    return compile(select, LevelKey.NONE);
  }

  private Level compile(Select select, LevelKey levelKey) {
    var table = catalog.requireTable(select.from());
    new Shape(select, table).check();
    return new LevelBuilder(select, table, levelKey).build();
  }

  /** Collects what a level's statement selects while walking its outputs. */
  private final class LevelBuilder {
    private final Select select;
    private final Table table;
    private final LevelKey levelKey;
    private final List<Physical> physical = new ArrayList<>();
    private final List<Level.Child> children = new ArrayList<>();
    private final List<RowShape.Slot> slots = new ArrayList<>();
    private final int[] slotColumns;

    LevelBuilder(Select select, Table table, LevelKey levelKey) {
      this.select = select;
      this.table = table;
      this.levelKey = levelKey;
      this.slotColumns = new int[select.outputs().size()];
    }

    Level build() {
      outputs();
      var key =
          levelKey.numbered()
              ? new int[] {numbered()}
              : levelKey.columns().stream().mapToInt(this::plain).toArray();
      if (physical.isEmpty()) {
        plain(table.columns().getFirst().name());
      }
      return level(key);
    }

    void outputs() {
      for (int slot = 0; slot < slotColumns.length; slot++) {
        slotColumns[slot] = output(select.outputs().get(slot));
      }
    }

    private int output(Output output) {
      return switch (output) {
        case Output.Column column -> valueSlot(plain(column.column()));
        case Output.Aggregate aggregate -> {
          physical.add(new Aggregated(aggregate, aggregates.codec(table, aggregate)));
          yield valueSlot(physical.size() - 1);
        }
        case Output.Related related -> {
          var sql = new FilterSql(catalog, dialect, new Sql(dialect.jooq()));
          var codec = new OrderSql(sql, table, "").codec(related.path(), related.value());
          physical.add(new Reached(related, codec));
          yield valueSlot(physical.size() - 1);
        }
        case Output.Path path -> made(path, singles.codec(table, path));
        case Output.Cast cast -> made(cast, singles.codec(table, cast));
        case Output.Nested nested -> ~nested(nested);
      };
    }

    private int made(Output output, Codec codec) {
      physical.add(new Made(output, codec));
      return valueSlot(physical.size() - 1);
    }

    private int valueSlot(int at) {
      var column = physical.get(at);
      slots.add(new RowShape.ValueSlot(column.name(), column.codec().type()));
      return at;
    }

    private int numbered() {
      physical.add(new Numbered(dialect.codec(DataType.Scalar.INT64, "", SelectSql.PARENT)));
      return physical.size() - 1;
    }

    private int plain(String name) {
      for (int i = 0; i < physical.size(); i++) {
        if (physical.get(i) instanceof Plain plain && plain.column().equals(name)) {
          return i;
        }
      }
      physical.add(new Plain(name, codec(name)));
      return physical.size() - 1;
    }

    private Codec codec(String name) {
      var column = FilterSql.column(table, name);
      return dialect.codec(column.type(), column.nativeType(), table.name() + "." + name);
    }

    private int nested(Output.Nested nested) {
      var relationship = nested.relationship();
      requireFits(table, nested);
      var target = catalog.requireTable(relationship.to());
      var level = compile(nested.select(), LevelKey.of(relationship, table, target, dialect));
      var columns = relationship.fromColumns().stream().mapToInt(this::plain).toArray();
      var single = relationship.single() && level.zeroWhenEmpty().length == 0;
      slots.add(new RowShape.NestedSlot(relationship.name(), single, level.shape()));
      children.add(new Level.Child(level, columns));
      return children.size() - 1;
    }

    private Level level(int[] key) {
      var codecs = physical.stream().map(Physical::codec).toArray(Codec[]::new);
      var keyCodecs = levelKey.codecs().toArray(Codec[]::new);
      var shape = new RowShape(slots);
      var columns = List.copyOf(physical);
      // Rendered now, because rendering looks all names up.
      var all = sql(columns, key.length == 0 ? SelectSql.Mode.ROOT : SelectSql.Mode.MANY);
      return new Level(
          shape,
          ofRow(columns),
          codecs,
          slotColumns,
          children,
          key,
          keyCodecs,
          levelKey.numbered(),
          all,
          Once.of(() -> sql(columns, SelectSql.Mode.ONE)),
          zeroWhenEmpty(key.length > 0));
    }

    private List<String> ofRow(List<Physical> columns) {
      var sql = new Sql(dialect.jooq());
      var expressions = new ArrayList<String>();
      for (var column : columns) {
        switch (column) {
          case Plain plain -> expressions.add(sql.quoted(plain.column()));
          case Made made ->
              expressions.add(sql.text(singles.selected(table, "", made.output())).sql());
          case Aggregated aggregated -> {}
          case Numbered numbered -> {}
          case Reached reached -> {}
        }
      }
      return expressions;
    }

    private SqlText sql(List<Physical> columns, SelectSql.Mode mode) {
      return new SelectSql(catalog, dialect, select, table, levelKey, columns).render(mode);
    }

    private boolean[] zeroWhenEmpty(boolean belowRoot) {
      if (!belowRoot || !wholeAggregate(select)) {
        return new boolean[0];
      }
      var zero = new boolean[physical.size()];
      for (int i = 0; i < zero.length; i++) {
        zero[i] =
            physical.get(i) instanceof Aggregated aggregated
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

  private static void requireFits(Table table, Output.Nested nested) {
    Relationship relationship = nested.relationship();
    if (!relationship.from().equals(table.name())) {
      throw invalid(
          "relationship '%s' starts at '%s', not at '%s'"
              .formatted(relationship.name(), relationship.from(), table.name()));
    }
    if (!relationship.to().equals(nested.select().from())) {
      throw invalid(
          "relationship '%s' leads to '%s', but '%s' is selected"
              .formatted(relationship.name(), relationship.to(), nested.select().from()));
    }
  }

  static EvitaException invalid(String message) {
    return new EvitaException(
        ErrorCode.INVALID_OPERATION, "The operation contradicts itself: " + message);
  }

  static boolean isNumber(DataType type) {
    return type instanceof DataType.Scalar scalar
        && switch (scalar) {
          case INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64 -> true;
          case BOOLEAN, TEXT, BINARY, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> false;
          case INTERVAL, UUID, JSON -> false;
        };
  }

  /** The rules of {@link Select} that no type keeps. */
  private record Shape(Select select, Table table) {

    void check() {
      select.distinctOn().forEach(column -> FilterSql.column(table, column));
      select.groupBy().forEach(column -> FilterSql.column(table, column));
      checkPosition(select.after());
      checkPosition(select.before());
      select.outputs().forEach(this::check);
      if (!select.groupBy().isEmpty()) {
        checkGrouped();
        return;
      }
      for (var order : select.orderBy()) {
        if (order.path().isEmpty() && order.value() instanceof Output.Aggregate) {
          throw invalid("rows ordered by an aggregate without a relationship");
        }
      }
    }

    private void checkPosition(List<Parameter> position) {
      if (!position.isEmpty() && position.size() != select.orderBy().size()) {
        throw invalid(
            "a position of %d values for an order of %d terms"
                .formatted(position.size(), select.orderBy().size()));
      }
    }

    private boolean aggregated() {
      return !select.groupBy().isEmpty() || wholeAggregate(select);
    }

    private void check(Output output) {
      switch (output) {
        case Output.Column column when aggregated() -> requireGrouped(column.column());
        case Output.Column column -> FilterSql.column(table, column.column());
        case Output.Nested nested when aggregated() ->
            throw invalid(
                "relationship '" + nested.relationship().name() + "' beside an aggregate");
        case Output.Nested nested -> requireFits(table, nested);
        case Output.Related related when aggregated() ->
            throw invalid("a related value beside an aggregate");
        case Output.Related related -> {
          // Its path and its value are looked at where it is rendered.
        }
        case Output.Aggregate aggregate -> AggregateSql.check(table, aggregate);
        case Output.Path path when aggregated() ->
            throw invalid("a value inside of JSON beside an aggregate");
        case Output.Cast cast when aggregated() -> throw invalid("a cast beside an aggregate");
        case Output.Path path -> FilterSql.column(table, path.column());
        case Output.Cast cast -> SingleSql.column(table, cast.value());
      }
    }

    private void checkGrouped() {
      if (!select.distinctOn().isEmpty()
          || !select.after().isEmpty()
          || !select.before().isEmpty()) {
        throw invalid("a distinct or a position beside a group by");
      }
      for (var order : select.orderBy()) {
        if (!order.path().isEmpty()) {
          throw invalid("groups ordered by a relationship");
        }
        switch (order.value()) {
          case Output.Column(var column) -> requireGrouped(column);
          case Output.Path path -> throw invalid("groups ordered by a value inside of JSON");
          case Output.Aggregate aggregate -> AggregateSql.check(table, aggregate);
        }
      }
    }

    private void requireGrouped(String column) {
      FilterSql.column(table, column);
      if (!select.groupBy().contains(column)) {
        throw invalid("column '" + column + "' is not grouped by");
      }
    }
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
