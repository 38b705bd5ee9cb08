// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Key;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Dialect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a select certainly ends soon, from the catalog.
 *
 * <p>It does if it reads by a whole key; or if it has a small limit and finds its rows, in their
 * order, without visiting many others: without a filter, or with one whose equalities are on the
 * first columns of an index. Each level below must be joined by the first columns of an index.
 *
 * @param inProcess whether the engine works on the calling thread without a network
 * @param byKey whether there is at most one root row
 * @param keys the list of keys, of which each selects at most one root row; null if there is none
 * @param limit the root's limit, if any
 * @param cheap whether limited rows are found without visiting many others
 */
public record BoundednessCheck(
    boolean inProcess,
    boolean byKey,
    @Nullable Parameter keys,
    @Nullable Parameter limit,
    boolean cheap) {

  private static final long MOST_ROWS = 1000;

  public static BoundednessCheck of(Select select, Catalog catalog, Dialect dialect) {
    var table = catalog.requireTable(select.from());
    var equal = new HashSet<String>();
    var whole = equalities(select.where(), equal);
    var byKey = table.identifies(List.copyOf(equal));
    var indexed = byKey || (whole && (equal.isEmpty() || covers(table, equal)));
    var plain =
        table.kind() == Table.Kind.TABLE
            && select.groupBy().isEmpty()
            && select.distinctOn().isEmpty()
            && select.offset() == null
            && select.outputs().stream()
                .noneMatch(
                    each -> each instanceof Output.Aggregate || each instanceof Output.Related);
    var nested = nestedByIndex(select, catalog);
    return new BoundednessCheck(
        dialect.capabilities().contains(Capability.IN_PROCESS),
        byKey && nested,
        nested ? keys(select.where(), table) : null,
        select.limit(),
        plain && indexed && nested && ordered(select, table, equal));
  }

  /** Whether the select may execute on an I/O thread. */
  public boolean bounded(Arguments arguments) {
    return inProcess && (byKey || (cheap && small(arguments)) || hasFewKeys(arguments));
  }

  /** Whether the result is so small that buffering it is negligible. */
  public boolean small(Arguments arguments) {
    if (byKey || hasFewKeys(arguments)) {
      return true;
    }
    if (limit == null) {
      return false;
    }
    try {
      return Bind.count(arguments, limit, Long.MAX_VALUE) <= MOST_ROWS;
    } catch (EvitaException e) {
      // The execution itself reports it.
      return true;
    }
  }

  private boolean hasFewKeys(Arguments arguments) {
    return keys != null && arguments.get(keys) instanceof List<?> list && list.size() <= MOST_ROWS;
  }

  private static @Nullable Parameter keys(@Nullable Filter filter, Table table) {
    return switch (filter) {
      case Filter.And and -> {
        for (var each : and.filters()) {
          var found = keys(each, table);
          if (found != null) {
            yield found;
          }
        }
        yield null;
      }
      case Filter.In in when table.identifies(List.of(in.column())) -> in.values();
      case null, default -> null;
    };
  }

  /** Whether an index provides the requested order, if any. */
  static boolean inOrder(Select select, Table table) {
    var equal = new HashSet<String>();
    equalities(select.where(), equal);
    return ordered(select, table, equal);
  }

  /** Collects columns that must equal a value; returns whether the filter contains nothing else. */
  private static boolean equalities(@Nullable Filter filter, Set<String> equal) {
    return switch (filter) {
      case null -> true;
      case Filter.And and -> {
        var whole = true;
        for (var each : and.filters()) {
          whole &= equalities(each, equal);
        }
        yield whole;
      }
      case Filter.Compare compare when compare.comparison() == Comparison.EQUAL -> {
        equal.add(compare.column());
        yield true;
      }
      case Filter.Or or when or.filters().size() == 1 -> equalities(or.filters().getFirst(), equal);
      case Filter.Compare compare -> false;
      case Filter.Or or -> false;
      case Filter.Not not -> false;
      case Filter.CompareColumns compare -> false;
      case Filter.In in -> false;
      case Filter.IsNull isNull -> false;
      case Filter.Exists exists -> false;
      case Filter.Aggregated aggregated -> false;
      case Filter.AtPath at -> false;
      case Filter.FullText search -> false;
    };
  }

  private static Stream<Key> keys(Table table) {
    var all = new ArrayList<Key>(table.uniqueKeys());
    all.addAll(table.indexes());
    var primary = table.primaryKey();
    if (primary != null) {
      all.add(primary);
    }
    return all.stream();
  }

  private static boolean covers(Table table, Set<String> columns) {
    return keys(table)
        .anyMatch(key ->
            key.columns().size() >= columns.size()
                && columns.containsAll(key.columns().subList(0, columns.size())));
  }

  private static boolean ordered(Select select, Table table, Set<String> equal) {
    if (select.orderBy().isEmpty()) {
      return true;
    }
    var direction = select.orderBy().getFirst().direction();
    var columns = new ArrayList<String>();
    for (var order : select.orderBy()) {
      if (!order.path().isEmpty()
          || order.direction() != direction
          || !(order.value() instanceof Output.Column(var name))
          || table.column(name).map(Column::nullable).orElse(true)) {
        return false;
      }
      columns.add(name);
    }
    return keys(table).anyMatch(key -> sorts(key, columns, equal));
  }

  /** Whether the index provides this order, once the columns in {@code equal} are fixed. */
  private static boolean sorts(Key key, List<String> columns, Set<String> equal) {
    var fixed = 0;
    while (fixed < key.columns().size() && equal.contains(key.columns().get(fixed))) {
      fixed++;
    }
    var rest = key.columns().subList(fixed, key.columns().size());
    return fixed >= equal.size()
        && rest.size() >= columns.size()
        && rest.subList(0, columns.size()).equals(columns);
  }

  private static boolean nestedByIndex(Select select, Catalog catalog) {
    for (var output : select.outputs()) {
      if (output instanceof Output.Nested nested) {
        var target = catalog.requireTable(nested.select().from());
        if (!covers(target, Set.copyOf(nested.relationship().toColumns()))
            || !nestedByIndex(nested.select(), catalog)) {
          return false;
        }
      }
    }
    return true;
  }
}
