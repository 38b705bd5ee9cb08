// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.queries;

import dev.evita.api.Column;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.graphql.input.FieldCollector;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.input.VariableRef;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.plan.CallCompiler;
import dev.evita.externalapi.graphql.plan.FieldPosition;
import dev.evita.externalapi.graphql.plan.FieldReader;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.plan.OperationVariant;
import dev.evita.externalapi.graphql.plan.QuerySource;
import dev.evita.externalapi.graphql.plan.QueryStep;
import dev.evita.externalapi.graphql.plan.RowCompiler;
import dev.evita.externalapi.graphql.plan.RowSource;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import dev.evita.externalapi.graphql.schema.IntrospectionField;
import graphql.language.Field;
import graphql.language.OperationDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Compiles an operation into steps and shapes, for one outcome of its conditions.
 *
 * <p>The document is valid: fields of one response key can be merged, fragments fit and do not form
 * circles. For one use.
 */
public final class OperationCompiler {

  private final GraphQlSchema api;
  private final OperationDefinition operation;
  private final FieldCollector collector;
  private final FieldReader reader;
  private final RowCompiler rowCompiler;
  private final List<QueryStep<QuerySource>> steps = new ArrayList<>();
  private final StringBuilder pending = new StringBuilder();

  public OperationCompiler(
      GraphQlSchema api,
      OperationDefinition operation,
      FieldCollector collector,
      Map<String, VariableRef> variables) {
    this.api = api;
    this.operation = operation;
    this.collector = collector;
    this.reader = new FieldReader(api, collector, variables);
    this.rowCompiler = new RowCompiler(api, reader);
  }

  /**
   * Compiles the whole operation.
   *
   * @throws RequestError for an {@link EvitaException} of a field, with the position of the field
   */
  public OperationVariant compile() {
    var fields = collector.collectRoot(rootType(), operation.getSelectionSet());
    return subscribes() ? subscription(fields) : query(fields);
  }

  private OperationVariant subscription(Map<String, List<Field>> fields) {
    for (var entry : fields.entrySet()) { // there is one
      var stream = api.model().stream(entry.getValue().getFirst().getName());
      if (stream != null) {
        return new StreamCompiler(api, reader, rowCompiler)
            .compile(stream, entry.getKey(), entry.getValue());
      }
    }
    return new OperationVariant.LiveQuery(query(fields));
  }

  private OperationVariant.Query query(Map<String, List<Field>> fields) {
    pending.append('{');
    var first = true;
    for (var entry : fields.entrySet()) {
      pending.append(first ? "\"" : ",\"").append(entry.getKey()).append("\":");
      first = false;
      located(entry.getKey(), entry.getValue());
    }
    pending.append('}');
    var end = JsonShape.bytes(pending.toString());
    var plan = new PlacementHistory(planName());
    return new OperationVariant.Query(
        steps, end, plan, fields.size(), collector.aliases(), api.maxCost());
  }

  private boolean subscribes() {
    return operation.getOperation() == OperationDefinition.Operation.SUBSCRIPTION;
  }

  private String rootType() {
    return subscribes() ? ApiModel.SUBSCRIPTION_ROOT : ApiModel.QUERY_ROOT;
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
    if (name.equals(FieldReader.TYPE_NAME)) {
      pending.append('"').append(rootType()).append('"');
      return;
    }
    if (name.startsWith("__")) {
      var introspection = new IntrospectionField(api.introspector(), fields, operation, collector);
      step(new QuerySource.Schema(introspection), name.equals("__type"), List.of(key), field);
      return;
    }
    switch (api.model().root(name)) {
      case null -> pending.append("null");
      case RootModel.Rows(var n, var table) -> rows(table, fields, reader.rowArguments(field), key);
      case RootModel.ByKey(var n, var table, var keys) -> byKey(table, keys, fields, key);
      case RootModel.Aggregate(var n, var table) -> aggregate(table, fields, key);
      case RootModel.Groups(var n, var table) -> groups(table, fields, key);
      case RootModel.Connection connection -> connection(connection, fields, key);
      case RootModel.Call call -> call(call, fields, key);
    }
  }

  private void rows(TableModel table, List<Field> fields, RowArguments arguments, String... path) {
    var slots = new ArrayList<OperationTemplate.Slot>();
    var shape = rowCompiler.object(table, fields, slots, 2);
    var template =
        new OperationTemplate.OfSelect(
            table, RowCompiler.filled(table, slots), arguments, Map.of());
    step(source(true, shape, template), false, List.of(path), fields.getFirst());
  }

  private void byKey(TableModel table, Map<String, Column> keys, List<Field> fields, String key) {
    var field = fields.getFirst();
    var definition = reader.definition(ApiModel.QUERY_ROOT, field);
    var values = new LinkedHashMap<String, Object>();
    keys.forEach((argument, column) ->
        values.put(
            column.name(),
            Objects.requireNonNull(reader.argument(definition, field, argument, null))));
    var slots = new ArrayList<OperationTemplate.Slot>();
    var shape = rowCompiler.object(table, fields, slots, 2);
    var template =
        new OperationTemplate.OfSelect(
            table, RowCompiler.filled(table, slots), RowArguments.NONE, values);
    step(source(false, shape, template), true, List.of(key), field);
  }

  private void aggregate(TableModel table, List<Field> fields, String key) {
    var arguments = reader.rowArguments(fields.getFirst());
    var first = true;
    pending.append('{');
    for (var entry : reader.collect(table.names().aggregate(), fields).entrySet()) {
      pending.append(first ? "\"" : ",\"").append(entry.getKey()).append("\":");
      first = false;
      var members = entry.getValue();
      switch (members.getFirst().getName()) {
        case FieldReader.TYPE_NAME ->
            pending.append('"').append(table.names().aggregate()).append('"');
        case "nodes" -> rows(table, members, arguments, key, entry.getKey());
        default -> aggregates(table, members, arguments, key, entry.getKey());
      }
    }
    pending.append('}');
  }

  private void aggregates(
      TableModel table, List<Field> fields, RowArguments arguments, String... path) {
    var slots = new ArrayList<OperationTemplate.Slot>();
    var shape = rowCompiler.aggregates(table, fields, slots);
    var template = new OperationTemplate.OfSelect(table, slots, arguments, Map.of());
    step(source(false, shape, template), true, List.of(path), fields.getFirst());
  }

  private void groups(TableModel table, List<Field> fields, String key) {
    var slots = new ArrayList<OperationTemplate.Slot>();
    var shape = rowCompiler.group(table, fields, slots);
    var arguments = reader.rowArguments(fields.getFirst());
    var template = new OperationTemplate.OfSelect(table, slots, arguments, Map.of());
    step(source(true, shape, template), false, List.of(key), fields.getFirst());
  }

  private void connection(RootModel.Connection connection, List<Field> fields, String key) {
    var compiler = new ConnectionCompiler(api, reader, rowCompiler, connection);
    var first = true;
    pending.append('{');
    for (var member : compiler.compile(fields)) {
      pending.append(first ? "\"" : ",\"").append(member.key()).append("\":");
      first = false;
      var source = member.source();
      if (source == null) {
        pending.append('"').append(connection.table().names().connection()).append('"');
      } else {
        step(source, false, List.of(key, member.key()), member.fields().getFirst());
      }
    }
    pending.append('}');
  }

  private void call(RootModel.Call call, List<Field> fields, String key) {
    var compiled = CallCompiler.compile(call, ApiModel.QUERY_ROOT, fields, reader);
    var many = call.routine().returnsMany();
    step(
        source(many, compiled.shape(), compiled.template()),
        !many,
        List.of(key),
        fields.getFirst());
  }

  private QuerySource source(boolean list, JsonShape shape, OperationTemplate template) {
    return new QuerySource.Rows(list, shape, new RowSource(template, api));
  }

  private void step(QuerySource source, boolean nullable, List<String> path, Field field) {
    var before = JsonShape.bytes(pending.toString());
    var position = new FieldPosition(path, field.getSourceLocation());
    steps.add(new QueryStep<>(before, source, nullable, position));
    pending.setLength(0);
  }
}
