// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.Output;
import dev.evita.externalapi.core.Cost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns levels of objects into statements: of each level the rows that it refers to, then its own,
 * then those that refer to it.
 *
 * <p>Successive rows that give the same columns share a statement, unless the database must tell
 * something of them that others need: a key that it makes itself, or whether an upsert wrote them.
 *
 * <p>What is answered comes from the insert itself where that can know it all. Where further
 * statements change what is asked about rows, they are read again at the end. For one use.
 */
final class InsertPlanner {

  private final GraphQlSchema api;
  private final Object[] values;
  private final List<Template.Slot> slots;
  private final ReturnedRows answer;
  private final Map<FormKey, InsertStatement.Form> forms = new HashMap<>();
  private final List<InsertStatement> statements = new ArrayList<>();

  private record FormKey(
      MutationTable table,
      Insert.@Nullable OnConflict onConflict,
      List<String> columns,
      List<String> needed,
      boolean answers) {}

  /**
   * @param values of the variables
   * @param slots what is answered of each row of the root
   */
  InsertPlanner(
      GraphQlSchema api, Object[] values, List<Template.Slot> slots, ReturnedRows answer) {
    this.api = api;
    this.values = values;
    this.slots = slots;
    this.answer = answer;
  }

  /**
   * The statements of these levels.
   *
   * @throws EvitaException {@code INVALID_VALUE}; {@code UNSUPPORTED_OPERATION} where rows must be
   *     read again and have no key; and as {@link dev.evita.externalapi.core.Statements#prepare}
   */
  InsertWork plan(InsertLevel root, MutationShape shape) {
    var answers = !shape.shapes().isEmpty();
    var again = answers && hasNested() && !root.isOneStatement();
    if (again) {
      var key = requireIdentity(root.table());
      root.objects().forEach(object -> object.need(key));
    }
    cut(root, answers && !again, again && root.onConflict() != null);
    var reading =
        again
            ? InsertedRows.plan(api, values, root, requireIdentity(root.table()), slots, answer)
            : List.<InsertedRows>of();
    return new InsertWork(statements, reading, shape, answer);
  }

  private boolean hasNested() {
    return slots.stream().anyMatch(slot -> !(slot instanceof Template.Slot.OfColumn));
  }

  private static List<String> requireIdentity(MutationTable table) {
    var key = table.identity();
    if (key == null) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "Related rows of inserted '"
              + table.table().typeName()
              + "' cannot be answered together with nested inserts, as the table has no key; ask"
              + " for columns alone");
    }
    return key;
  }

  /**
   * @param answers whether the rows are answered from these statements
   * @param exact whether it must be known which rows an upsert wrote
   */
  private void cut(InsertLevel level, boolean answers, boolean exact) {
    level.children(true).forEach(child -> cut(child, false, false));
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
      var form = form(level, together.getFirst(), answers);
      statements.add(new InsertStatement(form, together, answers ? answer : null));
      first = last;
    }
    level.children(false).forEach(child -> cut(child, false, false));
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
        var field = level.table().table().fieldOf(name);
        if (hasDefault(field.column())) {
          throw object.invalid(
              "update_columns names '" + field.name() + "', which has a default; give its value");
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
    var key = new FormKey(level.table(), level.onConflict(), object.columns(), needed, answers);
    return forms.computeIfAbsent(key, this::prepare);
  }

  private InsertStatement.Form prepare(FormKey key) {
    var builder = new OperationBuilder(values, api.maxDepth());
    var rows = builder.add(null);
    var table = key.table().table();
    var outputs = new ArrayList<Output>();
    if (key.answers()) {
      outputs.addAll(builder.outputs(table, slots));
    }
    var firstKeySlot = key.needed().isEmpty() ? -1 : outputs.size();
    key.needed().forEach(column -> outputs.add(new Output.Column(column)));
    var insert = new Insert(table.table().name(), key.columns(), rows, key.onConflict(), outputs);
    var prepared = api.statements().prepare(insert);
    var arguments = builder.arguments();
    var cost = Cost.of(insert, true, api.limits().estimatedRows()).with(Arguments.of(arguments));
    return new InsertStatement.Form(prepared, key.columns(), arguments, firstKeySlot, cost);
  }
}
