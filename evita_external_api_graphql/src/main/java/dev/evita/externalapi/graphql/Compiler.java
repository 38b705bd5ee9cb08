// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.externalapi.core.Plan;
import graphql.language.Field;
import graphql.language.OperationDefinition;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLObjectType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles an operation into steps and shapes, for one outcome of its conditions.
 *
 * <p>The document is valid: fields of one response key can be merged, fragments fit and do not form
 * circles. For one use.
 */
final class Compiler {

  private static final String TYPE_NAME = "__typename";

  private final GraphQlSchema api;
  private final OperationDefinition operation;
  private final FieldCollector collector;
  private final Map<String, VariableRef> variables;
  private final List<Step> steps = new ArrayList<>();
  private final StringBuilder pending = new StringBuilder();

  Compiler(
      GraphQlSchema api,
      OperationDefinition operation,
      FieldCollector collector,
      Map<String, VariableRef> variables) {
    this.api = api;
    this.operation = operation;
    this.collector = collector;
    this.variables = variables;
  }

  Variant compile() {
    var root = operation.getSelectionSet();
    pending.append('{');
    var first = true;
    for (var entry : collector.collect(ApiModel.QUERY_ROOT, List.of(root)).entrySet()) {
      pending.append(first ? "\"" : ",\"").append(entry.getKey()).append("\":");
      first = false;
      located(entry.getKey(), entry.getValue());
    }
    pending.append('}');
    return new Variant(steps, Shape.bytes(pending.toString()), new Plan(planName()));
  }

  private String planName() {
    return "GraphQL " + (operation.getName() == null ? "query" : operation.getName());
  }

  private void located(String key, List<Field> fields) {
    try {
      root(key, fields);
    } catch (EvitaException e) {
      throw RequestError.at(e, fields.getFirst().getSourceLocation(), List.of(key));
    }
  }

  private void root(String key, List<Field> fields) {
    var field = fields.getFirst();
    var name = field.getName();
    if (name.equals(TYPE_NAME)) {
      pending.append('"').append(ApiModel.QUERY_ROOT).append('"');
      return;
    }
    if (name.startsWith("__")) {
      var answer = new IntrospectionField(api.introspector(), fields, operation, collector);
      step(new Step.Work.Schema(answer), name.equals("__type"), List.of(key), field);
      return;
    }
    switch (api.model().root(name)) {
      case null -> pending.append("null");
      case RootModel.Rows(var n, var table) -> rows(table, fields, rowArguments(field), key);
      case RootModel.ByKey(var n, var table, var keys) -> byKey(table, keys, fields, key);
      case RootModel.Aggregate(var n, var table) -> aggregate(table, fields, key);
      case RootModel.Call call -> call(call, fields, key);
    }
  }

  private void rows(TableModel table, List<Field> fields, RowArguments arguments, String... path) {
    var slots = new ArrayList<Template.Slot>();
    var shape = object(table, fields, slots, 2);
    var template = new Template.OfSelect(table, filled(table, slots), arguments, Map.of());
    step(work(true, shape, template), false, List.of(path), fields.getFirst());
  }

  private void byKey(TableModel table, Map<String, Column> keys, List<Field> fields, String key) {
    var field = fields.getFirst();
    var definition = rootDefinition(field);
    var values = new LinkedHashMap<String, Object>();
    keys.forEach((argument, column) ->
        values.put(
            column.name(), Objects.requireNonNull(argument(definition, field, argument, null))));
    var slots = new ArrayList<Template.Slot>();
    var shape = object(table, fields, slots, 2);
    var template = new Template.OfSelect(table, filled(table, slots), RowArguments.NONE, values);
    step(work(false, shape, template), true, List.of(key), field);
  }

  private void aggregate(TableModel table, List<Field> fields, String key) {
    var arguments = rowArguments(fields.getFirst());
    var first = true;
    pending.append('{');
    for (var entry : collect(table.names().aggregate(), fields).entrySet()) {
      pending.append(first ? "\"" : ",\"").append(entry.getKey()).append("\":");
      first = false;
      var members = entry.getValue();
      switch (members.getFirst().getName()) {
        case TYPE_NAME -> pending.append('"').append(table.names().aggregate()).append('"');
        case "nodes" -> rows(table, members, arguments, key, entry.getKey());
        default -> aggregates(table, members, arguments, key, entry.getKey());
      }
    }
    pending.append('}');
  }

  private void aggregates(
      TableModel table, List<Field> fields, RowArguments arguments, String... path) {
    var slots = new ArrayList<Template.Slot>();
    var shape = aggregateFields(table, fields, slots);
    if (slots.isEmpty()) {
      slots.add(new Template.Slot.OfCount(null, null));
    }
    var template = new Template.OfSelect(table, slots, arguments, Map.of());
    step(work(false, shape, template), true, List.of(path), fields.getFirst());
  }

  private void call(RootModel.Call call, List<Field> fields, String key) {
    var field = fields.getFirst();
    var definition = rootDefinition(field);
    var arguments = new ArrayList<@Nullable Object>();
    call.arguments()
        .keySet()
        .forEach(name -> arguments.add(argument(definition, field, name, null)));
    var columns = new ArrayList<Column>();
    var shape = result(call, fields, columns);
    if (columns.isEmpty()) {
      columns.add(call.routine().result().getFirst());
    }
    var many = call.routine().returnsMany();
    var template = new Template.OfCall(call.routine(), arguments, columns);
    step(work(many, shape, template), !many, List.of(key), field);
  }

  private Shape result(RootModel.Call call, List<Field> fields, List<Column> columns) {
    var shape = new Shape.Builder();
    for (var entry : collect(call.typeName(), fields).entrySet()) {
      var name = entry.getValue().getFirst().getName();
      if (name.equals(TYPE_NAME)) {
        shape.constant(entry.getKey(), call.typeName());
        continue;
      }
      var column = Objects.requireNonNull(call.fields().get(name));
      if (!columns.contains(column)) {
        columns.add(column);
      }
      shape.member(entry.getKey(), value(columns.indexOf(column), column, name));
    }
    return shape.build();
  }

  private Step.Work work(boolean list, Shape shape, Template template) {
    var source = new Source(template, api.statements(), api.maxDepth());
    return new Step.Work.Rows(list, shape, source);
  }

  private void step(Step.Work work, boolean nullable, List<String> path, Field field) {
    var before = Shape.bytes(pending.toString());
    steps.add(new Step(before, work, nullable, path, field.getSourceLocation()));
    pending.setLength(0);
  }

  /** The shape of a table's row; what it reads is added to the slots. */
  private Shape object(
      TableModel table, List<Field> parents, List<Template.Slot> slots, int depth) {
    requireDepth(depth);
    var shape = new Shape.Builder();
    var columns = new HashMap<String, Integer>();
    for (var entry : collect(table.typeName(), parents).entrySet()) {
      var key = entry.getKey();
      var fields = entry.getValue();
      switch (table.field(fields.getFirst().getName())) {
        case null -> shape.constant(key, table.typeName());
        case FieldModel.OfColumn(var name, var column) -> {
          var slot = columns.get(name);
          if (slot == null) {
            slot = add(slots, new Template.Slot.OfColumn(column.name()));
            columns.put(name, slot);
          }
          shape.member(key, value(slot, column, name));
        }
        case FieldModel.OfRelationship relationship ->
            shape.member(key, related(table, relationship, fields, slots, depth));
        case FieldModel.OfAggregate aggregate ->
            shape.member(key, nested(table, aggregate, fields, slots, depth));
      }
    }
    return shape.build();
  }

  private static Shape.Node value(int slot, Column column, String name) {
    return new Shape.Node.Value(slot, column.type(), !column.nullable(), name);
  }

  private static int add(List<Template.Slot> slots, Template.Slot slot) {
    slots.add(slot);
    return slots.size() - 1;
  }

  private Shape.Node related(
      TableModel parent,
      FieldModel.OfRelationship field,
      List<Field> fields,
      List<Template.Slot> slots,
      int depth) {
    var inner = new ArrayList<Template.Slot>();
    var shape = object(field.target(), fields, inner, depth + 1);
    var single = field.relationship().single();
    var arguments =
        single ? RowArguments.NONE : rowArguments(definition(parent, fields), fields.getFirst());
    var select =
        new Template.OfSelect(field.target(), filled(field.target(), inner), arguments, Map.of());
    var slot = add(slots, new Template.Slot.OfRows(field.relationship(), select));
    return single ? new Shape.Node.One(slot, shape) : new Shape.Node.Many(slot, shape);
  }

  private Shape.Node nested(
      TableModel parent,
      FieldModel.OfAggregate field,
      List<Field> fields,
      List<Template.Slot> slots,
      int depth) {
    requireDepth(depth + 1);
    var table = field.target();
    var arguments = rowArguments(definition(parent, fields), fields.getFirst());
    var shape = new Shape.Builder();
    for (var entry : collect(table.names().aggregate(), fields).entrySet()) {
      var members = entry.getValue();
      var inner = new ArrayList<Template.Slot>();
      switch (members.getFirst().getName()) {
        case TYPE_NAME -> shape.constant(entry.getKey(), table.names().aggregate());
        case "nodes" -> {
          var rows = object(table, members, inner, depth + 2);
          var select = new Template.OfSelect(table, filled(table, inner), arguments, Map.of());
          var slot = add(slots, new Template.Slot.OfRows(field.relationship(), select));
          shape.member(entry.getKey(), new Shape.Node.Many(slot, rows));
        }
        default -> {
          var row = aggregateFields(table, members, inner);
          if (inner.isEmpty()) {
            inner.add(new Template.Slot.OfCount(null, null));
          }
          var select = new Template.OfSelect(table, inner, arguments, Map.of());
          var slot = add(slots, new Template.Slot.OfRows(field.relationship(), select));
          shape.member(entry.getKey(), new Shape.Node.One(slot, row));
        }
      }
    }
    return new Shape.Node.Inline(shape.build());
  }

  private Shape aggregateFields(TableModel table, List<Field> parents, List<Template.Slot> slots) {
    var typeName = table.names().aggregateFields();
    var definitions = api.objectType(typeName);
    var shape = new Shape.Builder();
    for (var entry : collect(typeName, parents).entrySet()) {
      var fields = entry.getValue();
      var field = fields.getFirst();
      switch (field.getName()) {
        case TYPE_NAME -> shape.constant(entry.getKey(), typeName);
        case "count" -> {
          var definition = definitions.getFieldDefinition("count");
          var columns = argument(definition, field, "columns", null);
          var distinct = argument(definition, field, "distinct", null);
          var slot = add(slots, new Template.Slot.OfCount(columns, distinct));
          shape.member(entry.getKey(), new Shape.Node.Computed(slot));
        }
        default ->
            shape.member(
                entry.getKey(),
                new Shape.Node.Inline(
                    perColumn(table, AggregateFunction.of(field.getName()), fields, slots)));
      }
    }
    return shape.build();
  }

  private Shape perColumn(
      TableModel table,
      AggregateFunction function,
      List<Field> parents,
      List<Template.Slot> slots) {
    var typeName = function.typeName(table);
    var shape = new Shape.Builder();
    for (var entry : collect(typeName, parents).entrySet()) {
      var name = entry.getValue().getFirst().getName();
      if (name.equals(TYPE_NAME)) {
        shape.constant(entry.getKey(), typeName);
        continue;
      }
      var output = new Template.Slot.OfAggregate(function.function(), table.column(name));
      var known = slots.indexOf(output);
      var slot = known >= 0 ? known : add(slots, output);
      var column = table.fieldOf(table.column(name)).column();
      shape.member(
          entry.getKey(),
          function.function() == Output.Function.MIN || function.function() == Output.Function.MAX
              ? new Shape.Node.Value(slot, column.type(), false, name)
              : new Shape.Node.Computed(slot));
    }
    return shape.build();
  }

  /** A select reads at least one column: where only {@code __typename} is wanted, the key. */
  private static List<Template.Slot> filled(TableModel table, List<Template.Slot> slots) {
    if (slots.isEmpty()) {
      var key = table.table().primaryKey();
      slots.add(
          new Template.Slot.OfColumn(
              key == null ? table.table().columns().getFirst().name() : key.columns().getFirst()));
    }
    return slots;
  }

  private Map<String, List<Field>> collect(String typeName, List<Field> parents) {
    return collector.collect(
        typeName, parents.stream().map(Field::getSelectionSet).filter(Objects::nonNull).toList());
  }

  private GraphQLFieldDefinition rootDefinition(Field field) {
    return api.objectType(ApiModel.QUERY_ROOT).getFieldDefinition(field.getName());
  }

  private GraphQLFieldDefinition definition(TableModel parent, List<Field> fields) {
    GraphQLObjectType type = api.objectType(parent.typeName());
    return type.getFieldDefinition(fields.getFirst().getName());
  }

  private RowArguments rowArguments(Field field) {
    return rowArguments(rootDefinition(field), field, null);
  }

  private RowArguments rowArguments(GraphQLFieldDefinition definition, Field field) {
    return rowArguments(definition, field, Trail.of(field.getResultKey()));
  }

  private RowArguments rowArguments(
      GraphQLFieldDefinition definition, Field field, @Nullable Trail trail) {
    return new RowArguments(
        argument(definition, field, "where", trail),
        argument(definition, field, "order_by", trail),
        argument(definition, field, "distinct_on", trail),
        argument(definition, field, "limit", trail),
        argument(definition, field, "offset", trail),
        trail);
  }

  private @Nullable Object argument(
      GraphQLFieldDefinition definition, Field field, String name, @Nullable Trail trail) {
    for (var argument : field.getArguments()) {
      if (argument.getName().equals(name)) {
        var type = definition.getArgument(name).getType();
        var where = trail == null ? Trail.of(name) : trail.member(name);
        return api.inputs().fromLiteral(type, argument.getValue(), variables, where);
      }
    }
    return null;
  }

  private void requireDepth(int depth) {
    if (depth > api.maxDepth()) {
      throw new EvitaException(
          ErrorCode.TOO_DEEP,
          "The selection is nested deeper than "
              + api.maxDepth()
              + " levels, the limit of max-depth");
    }
  }
}
