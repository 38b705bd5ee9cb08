// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Column;
import dev.evita.api.Insert;
import dev.evita.api.Key;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.work.Statements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts levels of rows to statements: for each level first the rows that it refers to, then its
 * own rows, then those that refer to it.
 *
 * <p>Successive rows that set the same columns share a statement, unless values must come back from
 * the database: a generated key, or whether an upsert wrote the row.
 *
 * <p>The result comes from the insert itself where possible. If later statements change the
 * requested values, the rows are read again at the end. For one use.
 */
public final class InsertPlanner {

  private final Statements statements;
  private final @Nullable InsertReturning returning;
  private final Map<FormKey, InsertStatement.Form> forms = new HashMap<>();
  private final List<InsertStatement> inserts = new ArrayList<>();

  private record FormKey(
      TableName table,
      Insert.@Nullable OnConflict onConflict,
      List<String> columns,
      List<String> needed,
      boolean returns) {}

  /**
   * Creates a planner.
   *
   * @param returning the values to return of the root's rows; null if none
   */
  public InsertPlanner(Statements statements, @Nullable InsertReturning returning) {
    this.statements = statements;
    this.returning = returning;
  }

  /**
   * Plans the statements of these levels. Throws the exceptions of the rows' locations, {@link
   * InsertReturning#withoutKey}, and those of {@link Statements#prepare}. May block on the engine.
   */
  public NestedInsert plan(InsertLevel root) {
    var requested = returning;
    var again =
        requested != null && !root.isOneStatement() && needsMoreThanColumns(requested)
            ? requested
            : null;
    if (again != null) {
      var key = requireIdentity(root.table(), again);
      root.objects().forEach(object -> object.need(key));
    }
    cut(root, true, again == null ? requested : null, again != null && root.onConflict() != null);
    var reading =
        again == null
            ? List.<InsertedRows>of()
            : InsertedRows.plan(statements, root, requireIdentity(root.table(), again), again);
    return new NestedInsert(inserts, reading);
  }

  private static boolean needsMoreThanColumns(InsertReturning returning) {
    return returning.selection().outputs().stream()
        .anyMatch(each -> !(each instanceof Output.Column));
  }

  private static List<String> requireIdentity(Table table, InsertReturning returning) {
    var key = identity(table);
    if (key == null) {
      throw returning.withoutKey();
    }
    return key;
  }

  /**
   * The columns that identify a row: the primary key, else a unique key without nulls; null if
   * there is none.
   */
  public static @Nullable List<String> identity(Table table) {
    var primary = table.primaryKey();
    if (primary != null) {
      return primary.columns();
    }
    return table.uniqueKeys().stream()
        .map(Key::columns)
        .filter(columns -> columns.stream().noneMatch(name -> column(table, name).nullable()))
        .findFirst()
        .orElse(null);
  }

  private static Column column(Table table, String name) {
    return table.column(name).orElseThrow();
  }

  /**
   * @param answering receives the rows from these statements; null if there is none
   * @param exact whether it must be known which rows an upsert wrote
   */
  private void cut(
      InsertLevel level, boolean ofRoot, @Nullable InsertReturning answering, boolean exact) {
    level.children(true).forEach(child -> cut(child, false, null, false));
    var objects = level.objects();
    objects.forEach(object -> completeUpdate(level, object));
    for (int first = 0; first < objects.size(); ) {
      var last = first + 1;
      if (!exact && level.knowsNeededValues(objects.get(first))) {
        while (last < objects.size()
            && sharesStatement(level, objects.get(first), objects.get(last))) {
          last++;
        }
      } else {
        objects.get(first).returns();
      }
      var together = List.copyOf(objects.subList(first, last));
      var form = form(level, together.getFirst(), answering != null);
      inserts.add(new InsertStatement(form, together, ofRoot, answering));
      first = last;
    }
    level.children(false).forEach(child -> cut(child, false, null, false));
  }

  private static boolean sharesStatement(
      InsertLevel level, InsertObject first, InsertObject other) {
    return level.knowsNeededValues(other) && other.columns().equals(first.columns());
  }

  /** An upsert updates columns to the row's values, or to null if it has none and no default. */
  private static void completeUpdate(InsertLevel level, InsertObject object) {
    var rule = level.onConflict();
    if (rule == null) {
      return;
    }
    for (var name : rule.update()) {
      if (!object.gives(name)) {
        if (hasDefault(column(level.table(), name))) {
          throw object.place().missingValue(name);
        }
        object.put(name, null);
      }
    }
  }

  private static boolean hasDefault(Column column) {
    return column.defaultExpression() != null || column.generation() != Column.Generation.NONE;
  }

  private InsertStatement.Form form(InsertLevel level, InsertObject object, boolean returns) {
    var needed = object.isReturned() ? List.copyOf(object.needed()) : List.<String>of();
    var table = level.table().name();
    var key = new FormKey(table, level.onConflict(), object.columns(), needed, returns);
    return forms.computeIfAbsent(key, this::prepare);
  }

  private InsertStatement.Form prepare(FormKey key) {
    var outputs = new ArrayList<Output>();
    var arguments = new ArrayList<@Nullable Object>();
    if (key.returns() && returning != null) {
      var selection = returning.selection();
      outputs.addAll(selection.outputs());
      arguments.addAll(selection.arguments());
    }
    var firstKeySlot = key.needed().isEmpty() ? -1 : outputs.size();
    key.needed().forEach(column -> outputs.add(new Output.Column(column)));
    var rows = new Parameter(arguments.size());
    arguments.add(null);
    var insert = new Insert(key.table(), key.columns(), rows, key.onConflict(), outputs);
    return new InsertStatement.Form(
        statements.prepare(insert), key.columns(), arguments.toArray(), rows, firstKeySlot);
  }
}
