// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Delete;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Update;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.schema.MutationSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds updates and deletes from their templates. */
final class WriteBuilder {

  private final OperationBuilder operation;

  WriteBuilder(OperationBuilder operation) {
    this.operation = operation;
  }

  /**
   * Returns an update.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE} also if no column is set, or one
   *     column twice
   */
  Update update(OperationTemplate.OfUpdate template) {
    var changes = new LinkedHashMap<String, Update.Change>();
    var table = template.table();
    members(
        template.set(),
        ValuePath.below(template.trail(), MutationSchema.SET),
        (name, value, where) -> {
          var column = table.column(name);
          changes.put(column, new Update.Change.Assign(column, operation.assigned(value, where)));
        });
    members(
        template.inc(),
        ValuePath.below(template.trail(), MutationSchema.INC),
        (name, value, where) -> {
          var column = table.column(name);
          if (changes.containsKey(column)) {
            throw Inputs.invalid(where, "'" + name + "' is in both _set and _inc; remove one");
          }
          if (value == null) {
            throw Inputs.invalid(where, "null is not valid here; expected a number to add");
          }
          changes.put(
              column, new Update.Change.Increment(column, operation.assigned(value, where)));
        });
    if (changes.isEmpty()) {
      throw Inputs.invalid(
          ValuePath.below(template.trail(), MutationSchema.SET),
          "nothing is to be changed; give a column in _set or _inc");
    }
    return new Update(
        table.table().name(),
        List.copyOf(changes.values()),
        where(table, template.rows()),
        operation.outputs(table, template.slots()));
  }

  /** Returns a delete. */
  Delete delete(OperationTemplate.OfDelete template) {
    var table = template.table();
    var returning = new ArrayList<Output>();
    template.columns().forEach(column -> returning.add(new Output.Column(column)));
    return new Delete(table.table().name(), where(table, template.rows()), returning);
  }

  private @Nullable Filter where(TableModel table, OperationTemplate.RowChoice rows) {
    var filters = FilterBuilder.ofWrites(operation);
    return switch (rows) {
      case OperationTemplate.RowChoice.ByFilter(var where, var trail) ->
          filters.where(table, where, trail);
      case OperationTemplate.RowChoice.ByKey(var columns) ->
          filters.keys(table, keys(table, columns));
    };
  }

  private Map<String, Object> keys(TableModel table, Object columns) {
    var keys = new LinkedHashMap<String, Object>();
    ((Map<?, ?>) Objects.requireNonNull(operation.resolve(columns)))
        .forEach((name, value) -> keys.put(table.column(String.valueOf(name)), value));
    return keys;
  }

  /** Receives a member of an input object that has a value, possibly null. */
  @FunctionalInterface
  private interface Members {
    void accept(String name, @Nullable Object value, ValuePath where);
  }

  private void members(@Nullable Object input, ValuePath trail, Members taker) {
    if (!(operation.resolve(input) instanceof Map<?, ?> map)) {
      return;
    }
    for (var entry : map.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var value = operation.known(entry.getValue());
      if (!(value instanceof AbsentValue)) {
        taker.accept(name, value, trail.member(name));
      }
    }
  }
}
