// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A select by a unique key of one column. A batch is one select by a list of keys, which returns
 * the key as well; the rows are passed to the members with that key.
 *
 * <p>A text may be equal to another one by the column's collation. So a member without a row by its
 * exact text is executed again alone.
 */
final class SelectByKey implements BatchedStatement {

  private static final Object ANY = "";

  private final @Nullable Parameter limit;
  private final Select bySet;
  private final Engine engine;
  private final Catalog catalog;
  private final Parameter key;
  private final boolean exact;
  private final int keySlot;
  private final List<Parameter> others;
  private volatile @Nullable Prepared preparedBySet;

  private SelectByKey(Select select, Engine engine, Catalog catalog, Key key) {
    this.catalog = catalog;
    this.limit = select.limit();
    this.engine = engine;
    this.key = key.compare().value();
    this.exact = key.column().type() != DataType.Scalar.TEXT;
    this.keySlot = select.outputs().size();
    var outputs = new ArrayList<>(select.outputs());
    outputs.add(new Output.Column(key.column().name()));
    var filters = new ArrayList<Filter>();
    collect(select.where(), key.compare(), filters);
    this.bySet = Select.of(select.from(), outputs).where(new Filter.And(filters));
    this.others =
        ParameterUse.of(bySet).stream().distinct().filter(used -> !used.equals(this.key)).toList();
  }

  /** The comparison that selects one row. */
  private record Key(Filter.Compare compare, Column column) {}

  /** Returns null for a select that cannot be executed for a list of keys. */
  static @Nullable SelectByKey of(Select select, Engine engine, Catalog catalog) {
    var table = catalog.table(select.from());
    var key =
        table.isPresent() && table.get().kind() == Table.Kind.TABLE && isPlain(select)
            ? key(select.where(), table.get())
            : null;
    return key == null || Collections.frequency(ParameterUse.of(select), key.compare().value()) > 1
        ? null
        : new SelectByKey(select, engine, catalog, key);
  }

  private static boolean isPlain(Select select) {
    return select.offset() == null
        && select.after().isEmpty()
        && select.before().isEmpty()
        && select.groupBy().isEmpty()
        && select.distinctOn().isEmpty()
        && select.outputs().stream().noneMatch(Output.Aggregate.class::isInstance);
  }

  private static @Nullable Key key(@Nullable Filter where, Table table) {
    return switch (where) {
      case Filter.And and -> {
        for (var each : and.filters()) {
          var found = key(each, table);
          if (found != null) {
            yield found;
          }
        }
        yield null;
      }
      case Filter.Compare compare
          when compare.comparison() == Comparison.EQUAL
              && table.identifies(List.of(compare.column())) -> {
        var column = table.column(compare.column()).orElseThrow();
        yield hasComparableValues(column.type()) ? new Key(compare, column) : null;
      }
      case null, default -> null;
    };
  }

  private static boolean hasComparableValues(DataType type) {
    return type instanceof DataType.Scalar scalar
        && switch (scalar) {
          case INT16, INT32, INT64, UUID, TEXT -> true;
          default -> false;
        };
  }

  /** Collects the conditions, with a list of keys in the place of one. */
  @SuppressWarnings("ReferenceEquality") // replaces this one comparison
  private static void collect(@Nullable Filter where, Filter.Compare key, List<Filter> filters) {
    if (where instanceof Filter.And and) {
      and.filters().forEach(each -> collect(each, key, filters));
    } else if (where != null) {
      filters.add(where == key ? new Filter.In(key.column(), key.value()) : where);
    }
  }

  @Override
  public Object identity() {
    return bySet;
  }

  @Override
  public String name() {
    return "select of " + bySet.from() + " by key";
  }

  @Override
  public int lanes() {
    return READING_LANES;
  }

  @Override
  public boolean accepts(Arguments arguments) {
    return key(arguments.get(key)) != null
        && (limit == null
            || arguments.get(limit) == null
            || (arguments.get(limit) instanceof Number rows && rows.longValue() > 0));
  }

  /** The value as rows return it; null if it cannot be compared with theirs. */
  private @Nullable Object key(@Nullable Object value) {
    return switch (value) {
      case Long number -> exact ? number : null;
      case Integer number -> exact ? (Object) number.longValue() : null;
      case Short number -> exact ? (Object) number.longValue() : null;
      case UUID uuid -> uuid;
      case String text -> exact ? null : text;
      case null, default -> null;
    };
  }

  @Override
  public Object group(Arguments arguments) {
    return others.isEmpty()
        ? ANY
        : others.stream().map(arguments::get).collect(Collectors.toCollection(ArrayList::new));
  }

  @Override
  public @Nullable Object conflictKey(Arguments arguments) {
    return null;
  }

  @Override
  public void run(List<BatchMember> members, Batch batch) {
    if (members.size() == 1) {
      var only = members.getFirst();
      only.prepared().run(only.arguments(), null, new OneMember(only, batch));
      return;
    }
    Prepared combined;
    try {
      combined = preparedBySet();
    } catch (EvitaException e) {
      batch.executed();
      batch.againAlone(members);
      return;
    }
    var sink = new ManyMembers(members, batch);
    combined.run(arguments(members.getFirst().arguments(), sink.keys()), null, sink);
  }

  /** With another catalog, its rows might have other types than the members expect. */
  @SuppressWarnings("ReferenceEquality") // the engine returns the same one while nothing changed
  private Prepared preparedBySet() {
    var known = preparedBySet;
    if (known == null) {
      known = engine.prepare(bySet);
      if (engine.catalog() != catalog) {
        throw new EvitaException(ErrorCode.CATALOG_CHANGED, "The schema has changed");
      }
      preparedBySet = known;
    }
    return known;
  }

  /** The list of keys is in the place of the key. */
  private Arguments arguments(Arguments first, List<Object> keys) {
    var values = new @Nullable Object[first.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i == key.index() ? keys : first.get(new Parameter(i));
    }
    return Arguments.of(values);
  }

  /** Executed together. */
  private final class ManyMembers implements RowSink {
    private final List<BatchMember> members;
    private final Batch batch;
    private final Map<Object, BatchMember> byKey;
    private boolean sure = exact;

    ManyMembers(List<BatchMember> members, Batch batch) {
      this.members = members;
      this.batch = batch;
      this.byKey = HashMap.newHashMap(members.size());
      for (var member : members) {
        var value = key(member.arguments().get(key));
        if (value != null) { // as accepted
          member.twin = byKey.put(value, member);
        }
      }
    }

    List<Object> keys() {
      return List.copyOf(byKey.keySet());
    }

    @Override
    public void started(Execution execution) {
      batch.started(execution);
    }

    @Override
    public int maxHeldRows() {
      return members.getFirst().maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      Object value;
      try {
        value = key(row.objectAt(keySlot));
      } catch (EvitaException e) {
        sure = false; // SQLite: a stored value of another type
        return Demand.MORE;
      }
      for (var each = byKey.get(value); each != null; each = each.twin) {
        each.row(row);
      }
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      batch.executed();
      var again = new ArrayList<BatchMember>();
      for (var member : members) {
        if (sure || member.rows() > 0) {
          member.complete(member.rows());
        } else if (!member.ended()) {
          again.add(member);
        }
      }
      batch.againAlone(again);
    }

    /**
     * A row that one member reads may have failed the statement. Rows of others are correct, unless
     * the schema has changed.
     */
    @Override
    public void failed(EvitaException failure) {
      batch.executed();
      if (Batch.isForAll(failure.code())) {
        members.forEach(member -> member.fail(failure));
        return;
      }
      var again = new ArrayList<BatchMember>();
      for (var member : members) {
        if (member.rows() > 0) {
          member.complete(member.rows());
        } else if (!member.ended()) {
          again.add(member);
        }
      }
      batch.againAlone(again);
    }
  }
}
