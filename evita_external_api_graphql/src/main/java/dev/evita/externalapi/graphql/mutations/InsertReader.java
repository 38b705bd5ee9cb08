// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.Insert;
import dev.evita.externalapi.core.insert.InsertLevel;
import dev.evita.externalapi.core.insert.InsertObject;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.MutationTable;
import dev.evita.externalapi.graphql.plan.OperationBuilder;
import dev.evita.externalapi.graphql.schema.MutationSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the objects of an insert into levels. */
final class InsertReader {

  private final OperationBuilder operation;

  /**
   * @param operation knows the values of variables
   */
  InsertReader(OperationBuilder operation) {
    this.operation = operation;
  }

  /**
   * The level of the root's objects.
   *
   * @param objects one or a list of them, as {@link Inputs} made them
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}
   */
  InsertLevel read(MutationTable table, @Nullable Object objects, @Nullable Object onConflict) {
    var level = new InsertLevel(table.table().table(), rule(table, onConflict));
    var given = operation.resolve(objects);
    if (given instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        add(level, table, list.get(i), ValuePath.of("objects").element(i), 1);
      }
    } else {
      add(level, table, given, ValuePath.of("object"), 1);
    }
    return level;
  }

  private InsertObject add(
      InsertLevel level, MutationTable table, @Nullable Object given, ValuePath where, int depth) {
    operation.requireDepth(depth);
    if (!(operation.resolve(given) instanceof Map<?, ?> map)) {
      throw Inputs.invalid(where, "null is not valid here; expected an object");
    }
    var place = new ArgumentLocation(table.table(), where);
    var object = new InsertObject(table.table().table(), place);
    for (var entry : map.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var value = operation.resolve(entry.getValue());
      var link = table.links().get(name);
      if (link == null && !(value instanceof AbsentValue)) {
        object.put(table.column(name).name(), elements(value));
      } else if (link != null && value instanceof Map<?, ?> nested) {
        related(level, object, link, nested, where.member(name), depth);
      }
    }
    level.add(object);
    return object;
  }

  private @Nullable Object elements(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      return value;
    }
    var elements = new ArrayList<@Nullable Object>(list.size());
    for (var element : list) {
      var resolved = operation.resolve(element);
      elements.add(resolved instanceof AbsentValue ? null : elements(resolved));
    }
    return elements;
  }

  private void related(
      InsertLevel level,
      InsertObject object,
      MutationTable.Link link,
      Map<?, ?> nested,
      ValuePath where,
      int depth) {
    var rule = rule(link.target(), nested.get(MutationSchema.ON_CONFLICT));
    var child = level.child(link.link(), rule);
    var data = operation.resolve(nested.get(MutationSchema.DATA));
    var inside = where.member(MutationSchema.DATA);
    if (data instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        object.link(
            link.link(), add(child, link.target(), list.get(i), inside.element(i), depth + 1));
      }
    } else {
      object.link(link.link(), add(child, link.target(), data, inside, depth + 1));
    }
  }

  private Insert.@Nullable OnConflict rule(MutationTable table, @Nullable Object given) {
    if (!(operation.resolve(given) instanceof Map<?, ?> map)) {
      return null;
    }
    var constraint = operation.resolve(map.get(MutationSchema.CONSTRAINT));
    var key = Objects.requireNonNull(table.constraints().get(String.valueOf(constraint)));
    var update = new ArrayList<String>();
    if (operation.resolve(map.get(MutationSchema.UPDATE_COLUMNS)) instanceof List<?> names) {
      for (var name : names) {
        var column = table.column(String.valueOf(operation.resolve(name))).name();
        if (!update.contains(column)) {
          update.add(column);
        }
      }
    }
    return new Insert.OnConflict(key.columns(), update);
  }
}
