// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.graphql.input.FieldCollector;
import dev.evita.externalapi.graphql.input.VariableRef;
import dev.evita.externalapi.graphql.model.MutationField;
import dev.evita.externalapi.graphql.model.MutationModel;
import dev.evita.externalapi.graphql.model.MutationTable;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.plan.CallCompiler;
import dev.evita.externalapi.graphql.plan.FieldPosition;
import dev.evita.externalapi.graphql.plan.FieldReader;
import dev.evita.externalapi.graphql.plan.MutationSource;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.plan.OperationVariant;
import dev.evita.externalapi.graphql.plan.QueryStep;
import dev.evita.externalapi.graphql.plan.RowCompiler;
import dev.evita.externalapi.graphql.plan.RowSource;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import dev.evita.externalapi.graphql.schema.MutationSchema;
import graphql.language.Field;
import graphql.language.OperationDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compiles a mutation into its root fields, for one outcome of its conditions. For one use. */
public final class MutationCompiler {

  private final GraphQlSchema api;
  private final OperationDefinition operation;
  private final FieldCollector collector;
  private final FieldReader reader;
  private final RowCompiler rowCompiler;
  private final List<QueryStep<MutationSource>> steps = new ArrayList<>();
  private final StringBuilder pending = new StringBuilder();

  public MutationCompiler(
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
   * Compiles the whole operation: into a query where it has no field but {@code __typename}, as no
   * transaction is needed then.
   *
   * @throws RequestError for an {@link EvitaException} of a field, with the position of the field
   */
  public OperationVariant compile() {
    var root = operation.getSelectionSet();
    pending.append('{');
    var first = true;
    var fields = collector.collectRoot(MutationModel.MUTATION_ROOT, root);
    for (var entry : fields.entrySet()) {
      pending.append(first ? "\"" : ",\"").append(entry.getKey()).append("\":");
      first = false;
      located(entry.getKey(), entry.getValue());
    }
    pending.append('}');
    var name = operation.getName() == null ? "mutation" : operation.getName();
    var end = JsonShape.bytes(pending.toString());
    var plan = new PlacementHistory("GraphQL " + name);
    var aliases = collector.aliases();
    return steps.isEmpty()
        ? new OperationVariant.Query(List.of(), end, plan, fields.size(), aliases, api.maxCost())
        : new OperationVariant.Mutation(
            steps, end, plan, fields.size(), aliases, api.maxCost(), api.statements());
  }

  private void located(String key, List<Field> fields) {
    var at = fields.getFirst().getSourceLocation();
    try {
      var field = api.model().mutations().field(fields.getFirst().getName());
      if (field == null) {
        pending.append('"').append(MutationModel.MUTATION_ROOT).append('"');
        return;
      }
      var before = JsonShape.bytes(pending.toString());
      var position = new FieldPosition(List.of(key), at);
      steps.add(new QueryStep<>(before, source(field, fields), true, position));
      pending.setLength(0);
    } catch (EvitaException e) {
      throw RequestError.at(e, at, List.of(key));
    }
  }

  private MutationSource source(MutationField field, List<Field> fields) {
    var slots = new ArrayList<OperationTemplate.Slot>();
    return switch (field) {
      case MutationField.Insert(var name, var table, var one) -> {
        var shape = one ? one(table, fields, slots) : response(table, fields, slots);
        var given = argument(fields, one ? "object" : "objects");
        var onConflict = argument(fields, MutationSchema.ON_CONFLICT);
        yield new InsertSource(api, table, given, onConflict, shape, slots);
      }
      case MutationField.Update(var name, var table) ->
          update(table, byFilter(fields), response(table, fields, slots), slots, fields);
      case MutationField.UpdateByKey(var name, var table) -> {
        var key = Objects.requireNonNull(argument(fields, "pk_columns"));
        var rows = new OperationTemplate.RowChoice.ByKey(key);
        yield update(table, rows, one(table, fields, slots), slots, fields);
      }
      case MutationField.UpdateMany(var name, var table) -> {
        var shape = response(table, fields, slots);
        yield new UpdateManySource(api, table, argument(fields, "updates"), shape, slots);
      }
      case MutationField.Delete(var name, var table) -> {
        var shape = response(table, fields, slots);
        yield DeleteSource.of(api, table, byFilter(fields), shape, slots);
      }
      case MutationField.DeleteByKey(var name, var table) -> {
        var shape = one(table, fields, slots);
        yield DeleteSource.of(api, table, byKey(table, fields), shape, slots);
      }
      case MutationField.Call(var call) -> call(call, fields);
    };
  }

  private MutationSource update(
      MutationTable table,
      OperationTemplate.RowChoice rows,
      MutationShape shape,
      List<OperationTemplate.Slot> slots,
      List<Field> fields) {
    var set = argument(fields, MutationSchema.SET);
    var inc = argument(fields, MutationSchema.INC);
    return change(
        new OperationTemplate.OfUpdate(table.table(), rows, set, inc, slots, null), shape);
  }

  private MutationSource call(RootModel.Call call, List<Field> fields) {
    var compiled = CallCompiler.compile(call, MutationModel.MUTATION_ROOT, fields, reader);
    var shapes = List.of(compiled.shape());
    return change(
        compiled.template(),
        call.routine().returnsMany()
            ? new MutationShape.Many(shapes)
            : new MutationShape.One(shapes));
  }

  private MutationSource change(OperationTemplate template, MutationShape shape) {
    var source = new RowSource(template, api);
    return values -> new ChangeWork(source.bind(values), shape);
  }

  private OperationTemplate.RowChoice byFilter(List<Field> fields) {
    return new OperationTemplate.RowChoice.ByFilter(
        argument(fields, MutationSchema.WHERE), ValuePath.of(MutationSchema.WHERE));
  }

  private OperationTemplate.RowChoice byKey(MutationTable table, List<Field> fields) {
    var key = new LinkedHashMap<String, @Nullable Object>();
    table.key().keySet().forEach(name -> key.put(name, argument(fields, name)));
    return new OperationTemplate.RowChoice.ByKey(key);
  }

  private @Nullable Object argument(List<Field> fields, String name) {
    var field = fields.getFirst();
    var definition = reader.definition(MutationModel.MUTATION_ROOT, field);
    return reader.argument(definition, field, name, null);
  }

  private MutationShape one(
      MutationTable table, List<Field> fields, List<OperationTemplate.Slot> slots) {
    var shape = rowCompiler.object(table.table(), fields, slots, 2);
    RowCompiler.filled(table.table(), slots);
    return new MutationShape.One(List.of(shape));
  }

  private MutationShape response(
      MutationTable table, List<Field> parents, List<OperationTemplate.Slot> slots) {
    var typeName = table.names().response();
    var shapes = new ArrayList<JsonShape>();
    var members = new ArrayList<MutationShape.Response.Member>();
    var before = new StringBuilder("{");
    for (var entry : reader.collect(typeName, parents).entrySet()) {
      before.append(before.toString().endsWith("{") ? "\"" : ",\"");
      before.append(entry.getKey()).append("\":");
      var fields = entry.getValue();
      var name = fields.getFirst().getName();
      if (name.equals(FieldReader.TYPE_NAME)) {
        before.append('"').append(typeName).append('"');
        continue;
      }
      var shape = MutationShape.Response.Member.AFFECTED;
      if (name.equals(MutationSchema.RETURNING)) {
        shape = shapes.size();
        shapes.add(rowCompiler.object(table.table(), fields, slots, 3));
        RowCompiler.filled(table.table(), slots);
      }
      members.add(new MutationShape.Response.Member(JsonShape.bytes(before.toString()), shape));
      before.setLength(0);
    }
    var end = JsonShape.bytes(before.append('}').toString());
    return new MutationShape.Response(members, end, shapes);
  }
}
