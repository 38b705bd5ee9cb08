// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import dev.evita.externalapi.graphql.schema.GroupTypes;
import graphql.language.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compiles selections on rows of tables into shapes, and collects what these read. */
public final class RowCompiler {

  private final GraphQlSchema api;
  private final FieldReader reader;

  public RowCompiler(GraphQlSchema api, FieldReader reader) {
    this.api = api;
    this.reader = reader;
  }

  /** The shape of a table's row; what it reads is added to the slots. */
  public JsonShape object(
      TableModel table, List<Field> parents, List<OperationTemplate.Slot> slots, int depth) {
    reader.requireDepth(depth);
    var shape = new JsonShape.Builder();
    var columns = new HashMap<String, Integer>();
    for (var entry : reader.collect(table.typeName(), parents).entrySet()) {
      var key = entry.getKey();
      var fields = entry.getValue();
      switch (table.field(fields.getFirst().getName())) {
        case null -> shape.constant(key, table.typeName());
        case FieldModel.OfColumn(var name, var column) -> {
          var slot = columns.get(name);
          if (slot == null) {
            slot = add(slots, new OperationTemplate.Slot.OfColumn(column.name()));
            columns.put(name, slot);
          }
          shape.member(key, value(slot, column, name));
        }
        case FieldModel.OfRelationship relationship ->
            shape.member(key, related(table, relationship, fields, slots, depth));
        case FieldModel.OfAggregate aggregate ->
            shape.member(key, nested(table, aggregate, fields, slots, depth));
        case FieldModel.OfGroups groups ->
            shape.member(key, groups(table, groups, fields, slots, depth));
      }
    }
    return shape.build();
  }

  static JsonShape.Node value(int slot, Column column, String name) {
    return value(slot, column.type(), !column.nullable(), name);
  }

  /** Lists of another depth than the schema tells cannot be said. */
  private static JsonShape.Node value(int slot, DataType type, boolean required, String name) {
    var value = new JsonShape.Node.Value(slot, type, required, name);
    return type instanceof DataType.Array ? new JsonShape.Node.Lists(value) : value;
  }

  private static int add(List<OperationTemplate.Slot> slots, OperationTemplate.Slot slot) {
    slots.add(slot);
    return slots.size() - 1;
  }

  private JsonShape.Node related(
      TableModel parent,
      FieldModel.OfRelationship field,
      List<Field> fields,
      List<OperationTemplate.Slot> slots,
      int depth) {
    var inner = new ArrayList<OperationTemplate.Slot>();
    var shape = object(field.target(), fields, inner, depth + 1);
    var single = field.relationship().single();
    var arguments =
        single ? RowArguments.NONE : reader.rowArguments(parent.typeName(), fields.getFirst());
    var select =
        new OperationTemplate.OfSelect(
            field.target(), filled(field.target(), inner), arguments, Map.of());
    var slot = add(slots, new OperationTemplate.Slot.OfRows(field.relationship(), select));
    return single ? new JsonShape.Node.One(slot, shape) : new JsonShape.Node.Many(slot, shape);
  }

  private JsonShape.Node nested(
      TableModel parent,
      FieldModel.OfAggregate field,
      List<Field> fields,
      List<OperationTemplate.Slot> slots,
      int depth) {
    reader.requireDepth(depth + 1);
    var table = field.target();
    var arguments = reader.rowArguments(parent.typeName(), fields.getFirst());
    var shape = new JsonShape.Builder();
    for (var entry : reader.collect(table.names().aggregate(), fields).entrySet()) {
      var members = entry.getValue();
      var inner = new ArrayList<OperationTemplate.Slot>();
      switch (members.getFirst().getName()) {
        case FieldReader.TYPE_NAME -> shape.constant(entry.getKey(), table.names().aggregate());
        case "nodes" -> {
          var rows = object(table, members, inner, depth + 2);
          var select =
              new OperationTemplate.OfSelect(table, filled(table, inner), arguments, Map.of());
          var slot = add(slots, new OperationTemplate.Slot.OfRows(field.relationship(), select));
          shape.member(entry.getKey(), new JsonShape.Node.Many(slot, rows));
        }
        default -> {
          var row = aggregates(table, members, inner);
          var select = new OperationTemplate.OfSelect(table, inner, arguments, Map.of());
          var slot = add(slots, new OperationTemplate.Slot.OfRows(field.relationship(), select));
          shape.member(entry.getKey(), new JsonShape.Node.One(slot, row));
        }
      }
    }
    return new JsonShape.Node.Inline(shape.build());
  }

  private JsonShape.Node groups(
      TableModel parent,
      FieldModel.OfGroups field,
      List<Field> fields,
      List<OperationTemplate.Slot> slots,
      int depth) {
    reader.requireDepth(depth + 1);
    var inner = new ArrayList<OperationTemplate.Slot>();
    var shape = group(field.target(), fields, inner);
    var arguments = reader.rowArguments(parent.typeName(), fields.getFirst());
    var select = new OperationTemplate.OfSelect(field.target(), inner, arguments, Map.of());
    var slot = add(slots, new OperationTemplate.Slot.OfRows(field.relationship(), select));
    return new JsonShape.Node.Many(slot, shape);
  }

  /** The shape of a group of rows; what it reads and computes is added to the slots. */
  public JsonShape group(
      TableModel table, List<Field> parents, List<OperationTemplate.Slot> slots) {
    var shape = new JsonShape.Builder();
    for (var entry : reader.collect(table.names().group(), parents).entrySet()) {
      var fields = entry.getValue();
      switch (fields.getFirst().getName()) {
        case FieldReader.TYPE_NAME -> shape.constant(entry.getKey(), table.names().group());
        case GroupTypes.KEY ->
            shape.member(entry.getKey(), new JsonShape.Node.Inline(groupKey(table, fields, slots)));
        default ->
            shape.member(
                entry.getKey(), new JsonShape.Node.Inline(aggregateFields(table, fields, slots)));
      }
    }
    counted(slots);
    return shape.build();
  }

  private JsonShape groupKey(
      TableModel table, List<Field> parents, List<OperationTemplate.Slot> slots) {
    var typeName = table.names().groupKey();
    var shape = new JsonShape.Builder();
    for (var entry : reader.collect(typeName, parents).entrySet()) {
      var name = entry.getValue().getFirst().getName();
      if (name.equals(FieldReader.TYPE_NAME)) {
        shape.constant(entry.getKey(), typeName);
        continue;
      }
      var column = table.fieldOf(table.column(name)).column();
      var slot = shared(slots, new OperationTemplate.Slot.OfColumn(column.name()));
      shape.member(entry.getKey(), value(slot, column, name));
    }
    return shape.build();
  }

  /** The slot of this content; a new one where there is none yet. */
  private static int shared(List<OperationTemplate.Slot> slots, OperationTemplate.Slot slot) {
    var known = slots.indexOf(slot);
    return known >= 0 ? known : add(slots, slot);
  }

  /** An aggregation computes at least one value. */
  private static void counted(List<OperationTemplate.Slot> slots) {
    if (slots.isEmpty()) {
      slots.add(new OperationTemplate.Slot.OfCount(null, null));
    }
  }

  /** The shape of a row of aggregates alone. */
  public JsonShape aggregates(
      TableModel table, List<Field> parents, List<OperationTemplate.Slot> slots) {
    var shape = aggregateFields(table, parents, slots);
    counted(slots);
    return shape;
  }

  private JsonShape aggregateFields(
      TableModel table, List<Field> parents, List<OperationTemplate.Slot> slots) {
    var typeName = table.names().aggregateFields();
    var definitions = api.objectType(typeName);
    var shape = new JsonShape.Builder();
    for (var entry : reader.collect(typeName, parents).entrySet()) {
      var fields = entry.getValue();
      var field = fields.getFirst();
      switch (field.getName()) {
        case FieldReader.TYPE_NAME -> shape.constant(entry.getKey(), typeName);
        case "count" -> {
          var definition = definitions.getFieldDefinition("count");
          var columns = reader.argument(definition, field, "columns", null);
          var distinct = reader.argument(definition, field, "distinct", null);
          var slot = add(slots, new OperationTemplate.Slot.OfCount(columns, distinct));
          shape.member(entry.getKey(), new JsonShape.Node.Computed(slot));
        }
        default ->
            shape.member(
                entry.getKey(),
                new JsonShape.Node.Inline(
                    perColumn(table, AggregateFunction.of(field.getName()), fields, slots)));
      }
    }
    return shape.build();
  }

  private JsonShape perColumn(
      TableModel table,
      AggregateFunction function,
      List<Field> parents,
      List<OperationTemplate.Slot> slots) {
    var typeName = function.typeName(table);
    var shape = new JsonShape.Builder();
    for (var entry : reader.collect(typeName, parents).entrySet()) {
      var name = entry.getValue().getFirst().getName();
      if (name.equals(FieldReader.TYPE_NAME)) {
        shape.constant(entry.getKey(), typeName);
        continue;
      }
      var output = new OperationTemplate.Slot.OfAggregate(function.function(), table.column(name));
      var slot = shared(slots, output);
      var column = table.fieldOf(table.column(name)).column();
      shape.member(
          entry.getKey(),
          function.function() == Output.Function.MIN || function.function() == Output.Function.MAX
              ? value(slot, column.type(), false, name)
              : new JsonShape.Node.Computed(slot));
    }
    return shape.build();
  }

  /** A select reads at least one column: where only {@code __typename} is wanted, the key. */
  public static List<OperationTemplate.Slot> filled(
      TableModel table, List<OperationTemplate.Slot> slots) {
    if (slots.isEmpty()) {
      var key = table.table().primaryKey();
      slots.add(
          new OperationTemplate.Slot.OfColumn(
              key == null ? table.table().columns().getFirst().name() : key.columns().getFirst()));
    }
    return slots;
  }
}
