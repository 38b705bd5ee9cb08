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
 * Turns levels of rows into statements: of each level the rows that it refers to, then its own,
 * then those that refer to it.
 *
 * <p>Successive rows that give the same columns share a statement, unless the database must tell
 * something of them that others need: a key that it makes itself, or whether an upsert wrote them.
 *
 * <p>What is answered comes from the insert itself where that can know it all. Where further
 * statements change what is asked about rows, they are read again at the end. For one use.
 */
public final class InsertPlanner {

  private final Statements statements;
  private final @Nullable InsertReturning answer;
  private final Map<FormKey, InsertStatement.Form> forms = new HashMap<>();
  private final List<InsertStatement> inserts = new ArrayList<>();

  private record FormKey(
      TableName table,
      Insert.@Nullable OnConflict onConflict,
      List<String> columns,
      List<String> needed,
      boolean answers) {}

  /**
   * A planner.
   *
   * @param answer what is asked about the root's rows; null for nothing
   */
  public InsertPlanner(Statements statements, @Nullable InsertReturning answer) {
    this.statements = statements;
    this.answer = answer;
  }

  /**
   * The statements of these levels. Throws what the places of rows make, {@link
   * InsertReturning#withoutKey}, and as {@link Statements#prepare}. May block on the engine.
   */
  public NestedInsert plan(InsertLevel root) {
    var asked = answer;
    var again =
        asked != null && !root.isOneStatement() && needsMoreThanColumns(asked) ? asked : null;
    if (again != null) {
      var key = requireIdentity(root.table(), again);
      root.objects().forEach(object -> object.need(key));
    }
    cut(root, true, again == null ? asked : null, again != null && root.onConflict() != null);
    var reading =
        again == null
            ? List.<InsertedRows>of()
            : InsertedRows.plan(statements, root, requireIdentity(root.table(), again), again);
    return new NestedInsert(inserts, reading);
  }

  private static boolean needsMoreThanColumns(InsertReturning answer) {
    return answer.asked().outputs().stream().anyMatch(each -> !(each instanceof Output.Column));
  }

  private static List<String> requireIdentity(Table table, InsertReturning answer) {
    var key = identity(table);
    if (key == null) {
      throw answer.withoutKey();
    }
    return key;
  }

  /**
   * The columns by which a row is found again: the primary key, else a unique key without nulls;
   * null where there is none.
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
   * @param answering who takes the rows from these statements; null for nobody
   * @param exact whether it must be known which rows an upsert wrote
   */
  private void cut(
      InsertLevel level, boolean ofRoot, @Nullable InsertReturning answering, boolean exact) {
    level.children(true).forEach(child -> cut(child, false, null, false));
    var objects = level.objects();
    objects.forEach(object -> completeUpdate(level, object));
    for (int first = 0; first < objects.size(); ) {
      var last = first + 1;
      if (!exact && level.isSure(objects.get(first))) {
        while (last < objects.size() && goesWith(level, objects.get(first), objects.get(last))) {
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

  private static boolean goesWith(InsertLevel level, InsertObject first, InsertObject other) {
    return level.isSure(other) && other.columns().equals(first.columns());
  }

  /** An upsert sets columns to what the row gives, or would have had: null, without a default. */
  private static void completeUpdate(InsertLevel level, InsertObject object) {
    var rule = level.onConflict();
    if (rule == null) {
      return;
    }
    for (var name : rule.update()) {
      if (!object.gives(name)) {
        if (hasDefault(column(level.table(), name))) {
          throw object.place().notGiven(name);
        }
        object.put(name, null);
      }
    }
  }

  private static boolean hasDefault(Column column) {
    return column.defaultExpression() != null || column.generation() != Column.Generation.NONE;
  }

  private InsertStatement.Form form(InsertLevel level, InsertObject object, boolean answers) {
    var needed = object.isReturned() ? List.copyOf(object.needed()) : List.<String>of();
    var table = level.table().name();
    var key = new FormKey(table, level.onConflict(), object.columns(), needed, answers);
    return forms.computeIfAbsent(key, this::prepare);
  }

  private InsertStatement.Form prepare(FormKey key) {
    var outputs = new ArrayList<Output>();
    var arguments = new ArrayList<@Nullable Object>();
    if (key.answers() && answer != null) {
      var asked = answer.asked();
      outputs.addAll(asked.outputs());
      arguments.addAll(asked.arguments());
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
