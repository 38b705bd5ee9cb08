// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static graphql.schema.GraphQLEnumType.newEnum;
import static graphql.schema.GraphQLFieldDefinition.newFieldDefinition;
import static graphql.schema.GraphQLInputObjectField.newInputObjectField;
import static graphql.schema.GraphQLInputObjectType.newInputObject;
import static graphql.schema.GraphQLList.list;
import static graphql.schema.GraphQLNonNull.nonNull;
import static graphql.schema.GraphQLObjectType.newObject;
import static graphql.schema.GraphQLTypeReference.typeRef;

import dev.evita.api.Column;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.MutationField;
import dev.evita.externalapi.graphql.model.MutationModel;
import dev.evita.externalapi.graphql.model.MutationTable;
import dev.evita.externalapi.graphql.model.ScalarName;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLInputType;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Generates the types of mutations, in Hasura's dialect, from a model. */
public final class MutationSchema {

  static final String AFFECTED_ROWS = "affected_rows";
  public static final String RETURNING = "returning";
  public static final String DATA = "data";
  public static final String ON_CONFLICT = "on_conflict";
  public static final String CONSTRAINT = "constraint";
  public static final String UPDATE_COLUMNS = "update_columns";
  public static final String WHERE = "where";
  public static final String SET = "_set";
  public static final String INC = "_inc";

  private final SchemaGenerator schema;
  private final ApiModel model;

  MutationSchema(SchemaGenerator schema, ApiModel model) {
    this.schema = schema;
    this.model = model;
  }

  /** Returns all types below {@code mutation_root} that are not those of queries. */
  List<GraphQLNamedType> types() {
    var types = new ArrayList<GraphQLNamedType>();
    for (var table : model.mutations().tables()) {
      types.add(response(table));
      if (table.insertable()) {
        inserts(table, types);
      }
      if (table.updatable()) {
        updates(table, types);
      }
    }
    return types;
  }

  private static GraphQLObjectType response(MutationTable table) {
    var response =
        newObject()
            .name(table.names().response())
            .description("What became of rows of " + table.table().typeName() + ".")
            .field(
                newFieldDefinition()
                    .name(AFFECTED_ROWS)
                    .description("How many rows were changed, those of nested inserts included.")
                    .type(nonNull(typeRef(ScalarName.INT))));
    if (table.returning()) {
      response.field(
          newFieldDefinition().name(RETURNING).type(SchemaGenerator.rows(table.table())));
    }
    return response.build();
  }

  private void inserts(MutationTable table, List<GraphQLNamedType> types) {
    var names = table.names();
    var insert = columns(names.insertInput(), table.writable());
    table
        .links()
        .forEach((name, link) -> {
          var target = link.target().names();
          var input = link.single() ? target.objectInsertInput() : target.arrayInsertInput();
          insert.field(SchemaGenerator.inputField(name, typeRef(input), null));
        });
    types.add(insert.build());
    var row = nonNull(typeRef(names.insertInput()));
    types.add(nested(table, names.objectInsertInput(), row));
    types.add(nested(table, names.arrayInsertInput(), nonNull(list(row))));
    if (!table.constraints().isEmpty()) {
      conflicts(table, types);
    }
  }

  private static GraphQLInputObjectType nested(
      MutationTable table, String name, GraphQLInputType data) {
    var input = newInputObject().name(name);
    input.field(SchemaGenerator.inputField(DATA, data, null));
    if (!table.constraints().isEmpty()) {
      input.field(
          SchemaGenerator.inputField(ON_CONFLICT, typeRef(table.names().onConflict()), null));
    }
    return input.build();
  }

  private static void conflicts(MutationTable table, List<GraphQLNamedType> types) {
    var names = table.names();
    var constraint = newEnum().name(names.constraint());
    table
        .constraints()
        .forEach((name, key) ->
            constraint.value(name, name, "unique: " + String.join(", ", key.columns())));
    types.add(constraint.build());
    var column = newEnum().name(names.updateColumn());
    table.writable().keySet().forEach(name -> column.value(name, name));
    types.add(column.build());
    types.add(
        newInputObject()
            .name(names.onConflict())
            .description("What happens to a row whose key exists: these columns are updated.")
            .field(
                SchemaGenerator.inputField(CONSTRAINT, nonNull(typeRef(names.constraint())), null))
            .field(
                newInputObjectField()
                    .name(UPDATE_COLUMNS)
                    .type(nonNull(list(nonNull(typeRef(names.updateColumn())))))
                    .defaultValueProgrammatic(List.of()))
            .build());
  }

  private void updates(MutationTable table, List<GraphQLNamedType> types) {
    var names = table.names();
    types.add(columns(names.setInput(), table.writable()).build());
    if (!table.numbers().isEmpty()) {
      types.add(columns(names.incInput(), table.numbers()).build());
    }
    if (!table.key().isEmpty()) {
      var key = newInputObject().name(names.keyInput());
      table
          .key()
          .forEach((name, column) ->
              key.field(
                  SchemaGenerator.inputField(name, nonNull(schema.input(column.type())), null)));
      types.add(key.build());
    }
    var updates = newInputObject().name(names.updates());
    changes(table)
        .forEach(change ->
            updates.field(SchemaGenerator.inputField(change.getName(), change.getType(), null)));
    updates.field(SchemaGenerator.inputField(WHERE, where(table), null));
    types.add(updates.build());
  }

  private GraphQLInputObjectType.Builder columns(String name, Map<String, Column> columns) {
    var input = newInputObject().name(name);
    columns.forEach((field, column) ->
        input.field(
            SchemaGenerator.inputField(field, schema.input(column.type()), column.comment())));
    return input;
  }

  /** Returns the root of mutations; null if nothing is writable. */
  @Nullable GraphQLObjectType root() {
    var root = newObject().name(MutationModel.MUTATION_ROOT);
    var empty = true;
    for (var field : model.mutations().fields()) {
      root.field(field(field));
      empty = false;
    }
    return empty ? null : root.build();
  }

  private GraphQLFieldDefinition field(MutationField field) {
    return switch (field) {
      case MutationField.Insert(var name, var table, var one) -> insert(name, table, one);
      case MutationField.Update(var name, var table) ->
          field(name, table.names().response())
              .arguments(changes(table))
              .argument(SchemaGenerator.argument(WHERE, where(table)))
              .build();
      case MutationField.UpdateByKey(var name, var table) ->
          field(name, table.table().typeName())
              .arguments(changes(table))
              .argument(
                  SchemaGenerator.argument(
                      "pk_columns", nonNull(typeRef(table.names().keyInput()))))
              .build();
      case MutationField.UpdateMany(var name, var table) ->
          newFieldDefinition()
              .name(name)
              .type(list(typeRef(table.names().response())))
              .argument(
                  SchemaGenerator.argument(
                      "updates", nonNull(list(nonNull(typeRef(table.names().updates()))))))
              .build();
      case MutationField.Delete(var name, var table) ->
          field(name, table.names().response())
              .argument(SchemaGenerator.argument(WHERE, where(table)))
              .build();
      case MutationField.DeleteByKey(var name, var table) -> {
        var delete = field(name, table.table().typeName());
        table
            .key()
            .forEach((key, column) ->
                delete.argument(
                    SchemaGenerator.argument(key, nonNull(schema.input(column.type())))));
        yield delete.build();
      }
      case MutationField.Call(var call) -> schema.call(call);
    };
  }

  private static GraphQLFieldDefinition.Builder field(String name, String type) {
    return newFieldDefinition().name(name).type(typeRef(type));
  }

  private static GraphQLFieldDefinition insert(String name, MutationTable table, boolean one) {
    var names = table.names();
    var row = nonNull(typeRef(names.insertInput()));
    var insert = field(name, one ? table.table().typeName() : names.response());
    insert.argument(
        one
            ? SchemaGenerator.argument("object", row)
            : SchemaGenerator.argument("objects", nonNull(list(row))));
    if (!table.constraints().isEmpty()) {
      insert.argument(SchemaGenerator.argument(ON_CONFLICT, typeRef(names.onConflict())));
    }
    return insert.build();
  }

  private static GraphQLInputType where(MutationTable table) {
    return nonNull(typeRef(table.table().names().boolExp()));
  }

  private static List<GraphQLArgument> changes(MutationTable table) {
    var changes = new ArrayList<GraphQLArgument>();
    if (!table.numbers().isEmpty()) {
      changes.add(SchemaGenerator.argument(INC, typeRef(table.names().incInput())));
    }
    changes.add(SchemaGenerator.argument(SET, typeRef(table.names().setInput())));
    return changes;
  }
}
