// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static graphql.schema.GraphQLArgument.newArgument;
import static graphql.schema.GraphQLEnumType.newEnum;
import static graphql.schema.GraphQLFieldDefinition.newFieldDefinition;
import static graphql.schema.GraphQLInputObjectType.newInputObject;
import static graphql.schema.GraphQLList.list;
import static graphql.schema.GraphQLNonNull.nonNull;
import static graphql.schema.GraphQLObjectType.newObject;
import static graphql.schema.GraphQLTypeReference.typeRef;

import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.Comparisons;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.model.ScalarName;
import dev.evita.externalapi.graphql.model.TableModel;
import graphql.Scalars;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLCodeRegistry;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLInputObjectField;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLInputType;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLOutputType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Generates graphql-java's schema, in Hasura's dialect, from a model. */
final class SchemaGenerator {

  private static final Map<String, String> ORDERS = orders();

  private final ApiModel model;
  private final List<GraphQLNamedType> types = new ArrayList<>();

  private SchemaGenerator(ApiModel model) {
    this.model = model;
  }

  /**
   * Generates the schema.
   *
   * @param validated whether graphql-java validates it, which takes as long as the rest of the
   *     generation
   */
  static GraphQLSchema generate(ApiModel model, boolean validated) {
    return new SchemaGenerator(model).schema(validated);
  }

  private GraphQLSchema schema(boolean validated) {
    types.addAll(
        List.of(
            Scalars.GraphQLInt,
            Scalars.GraphQLFloat,
            Scalars.GraphQLString,
            Scalars.GraphQLBoolean));
    for (var name : model.types().ownScalars()) {
      types.add(CustomScalar.of(name, model.types()));
    }
    orderBy();
    model.types().comparisons().forEach(this::comparison);
    if (model.has(Capability.KEYSET)) {
      types.add(ConnectionTypes.pageInfo());
    }
    model.tables().forEach(this::table);
    var query = queryRoot();
    var mutation = mutationRoot();
    // The fast builder: names and references are right by construction, and tests validate them.
    return new GraphQLSchema.FastBuilder(
            GraphQLCodeRegistry.newCodeRegistry(), query, mutation, subscriptionRoot())
        .addTypes(types)
        .withValidation(validated)
        .build();
  }

  private GraphQLObjectType queryRoot() {
    var query = newObject().name(ApiModel.QUERY_ROOT);
    var empty = true;
    for (var root : model.roots()) {
      query.field(root(root));
      if (root instanceof RootModel.Connection connection) {
        types.addAll(ConnectionTypes.of(connection.table(), model.has(Capability.AGGREGATES)));
      }
      empty = false;
    }
    if (empty) {
      query.field(
          newFieldDefinition()
              .name("no_queries_available")
              .description("There are no tables yet.")
              .type(typeRef(ScalarName.STRING)));
    }
    return query.build();
  }

  /** Returns null if nothing is writable. */
  private @Nullable GraphQLObjectType mutationRoot() {
    var mutations = new MutationSchema(this, model);
    types.addAll(mutations.types());
    return mutations.root();
  }

  private @Nullable GraphQLObjectType subscriptionRoot() {
    var subscriptions = new SubscriptionSchema(this, model);
    types.addAll(subscriptions.types());
    return subscriptions.root();
  }

  private void orderBy() {
    var type = newEnum().name(ApiModel.ORDER_BY).description("Which way, and where nulls go.");
    ORDERS.forEach((name, description) -> type.value(name, name, description));
    types.add(type.build());
  }

  private static Map<String, String> orders() {
    var orders = new LinkedHashMap<String, String>();
    orders.put("asc", "smallest first, nulls last");
    orders.put("asc_nulls_first", "smallest first, nulls first");
    orders.put("asc_nulls_last", "smallest first, nulls last");
    orders.put("desc", "largest first, nulls first");
    orders.put("desc_nulls_first", "largest first, nulls first");
    orders.put("desc_nulls_last", "largest first, nulls last");
    return orders;
  }

  private void comparison(DataType type, String name) {
    var input = newInputObject().name(name);
    for (var operator : Comparisons.of(type, model.capabilities())) {
      input.field(inputField(operator, input(type), null));
    }
    if (Comparisons.listed(type)) {
      input.field(inputField(Comparisons.IN, list(nonNull(input(type))), null));
      input.field(inputField(Comparisons.NOT_IN, list(nonNull(input(type))), null));
    }
    input.field(inputField(Comparisons.IS_NULL, typeRef(ScalarName.BOOLEAN), null));
    types.add(input.build());
  }

  private void table(TableModel table) {
    types.add(object(table));
    types.add(boolExp(table));
    types.add(order(table));
    if (model.has(Capability.DISTINCT_ON)
        || model.has(Capability.AGGREGATES)
        || model.has(Capability.RELATED_AGGREGATES)) {
      types.add(selectColumn(table));
    }
    types.addAll(new AggregateTypes(table, this::output, model).types());
    if (model.has(Capability.AGGREGATES, Capability.GROUP_BY)) {
      types.addAll(GroupTypes.of(table, groupKey(table)));
    }
  }

  private GraphQLObjectType object(TableModel table) {
    var object = newObject().name(table.typeName()).description(table.table().comment());
    for (var field : table.fields()) {
      if (offers(field)) {
        object.field(field(field));
      }
    }
    return object.build();
  }

  /** Whether the engine can read it with the rows of the table. */
  private boolean offers(FieldModel field) {
    return switch (field) {
      case FieldModel.OfColumn column -> true;
      case FieldModel.OfRelationship(var name, var relationship, var target) ->
          model.has(relationship.single() ? Capability.NESTED_TO_ONE : Capability.NESTED_TO_MANY);
      case FieldModel.OfAggregate aggregate -> model.offersNestedAggregates();
      case FieldModel.OfGroups groups -> model.offersNestedGroups();
    };
  }

  private GraphQLFieldDefinition field(FieldModel field) {
    return switch (field) {
      case FieldModel.OfColumn(var name, var column) -> column(name, column);
      case FieldModel.OfRelationship(var name, var relationship, var target) ->
          relationship.single()
              ? newFieldDefinition().name(name).type(typeRef(target.typeName())).build()
              : newFieldDefinition()
                  .name(name)
                  .type(rows(target))
                  .arguments(rowArguments(target, true))
                  .build();
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          newFieldDefinition()
              .name(name)
              .type(nonNull(typeRef(target.names().aggregate())))
              .arguments(rowArguments(target, true))
              .build();
      case FieldModel.OfGroups(var name, var relationship, var target) ->
          GroupTypes.field(name, target, pageArguments(true));
    };
  }

  private GraphQLObjectType groupKey(TableModel table) {
    var object = newObject().name(table.names().groupKey());
    table.columns().forEach(field -> object.field(column(field.name(), field.column())));
    return object.build();
  }

  private GraphQLFieldDefinition column(String name, Column column) {
    var type = output(column.type());
    return newFieldDefinition()
        .name(name)
        .description(column.comment())
        .type(column.nullable() ? type : nonNull(type))
        .build();
  }

  private GraphQLInputObjectType boolExp(TableModel table) {
    var name = table.names().boolExp();
    var input =
        newInputObject()
            .name(name)
            .description("Which rows of " + table.typeName() + "; all conditions must hold.")
            .field(inputField("_and", list(nonNull(typeRef(name))), null))
            .field(inputField("_not", typeRef(name), null))
            .field(inputField("_or", list(nonNull(typeRef(name))), null));
    for (var field : table.fields()) {
      switch (field) {
        case FieldModel.OfColumn(var column, var type) ->
            input.field(
                inputField(column, typeRef(model.types().comparison(type.type())), type.comment()));
        case FieldModel.OfRelationship(var related, var relationship, var target) -> {
          if (model.has(Capability.FILTER_BY_RELATIONSHIP)) {
            input.field(inputField(related, typeRef(target.names().boolExp()), null));
          }
        }
        case FieldModel.OfAggregate(var aggregate, var relationship, var target) -> {
          if (model.has(Capability.RELATED_AGGREGATES)) {
            input.field(inputField(aggregate, typeRef(target.names().aggregateBoolExp()), null));
          }
        }
        case FieldModel.OfGroups groups -> {}
      }
    }
    return input.build();
  }

  private GraphQLInputObjectType order(TableModel table) {
    var input =
        newInputObject()
            .name(table.names().orderBy())
            .description("An order of rows of " + table.typeName() + ".");
    var empty = true;
    for (var field : table.fields()) {
      var type = orderType(field);
      if (type != null) {
        input.field(inputField(field.name(), typeRef(type), null));
        empty = false;
      }
    }
    if (empty) {
      input.field(inputField("_none", typeRef(ApiModel.ORDER_BY), "There is nothing to order by."));
    }
    return input.build();
  }

  private @Nullable String orderType(FieldModel field) {
    return switch (field) {
      case FieldModel.OfColumn(var name, var column) ->
          Comparisons.sortable(column.type()) ? ApiModel.ORDER_BY : null;
      case FieldModel.OfRelationship(var name, var relationship, var target) ->
          relationship.single() && model.has(Capability.ORDER_BY_RELATIONSHIP)
              ? target.names().orderBy()
              : null;
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          model.has(Capability.RELATED_AGGREGATES) ? target.names().aggregateOrderBy() : null;
      case FieldModel.OfGroups groups -> null;
    };
  }

  private static GraphQLNamedType selectColumn(TableModel table) {
    var type =
        newEnum()
            .name(table.names().selectColumn())
            .description("The columns of " + table.typeName() + ".");
    table.columns().forEach(field -> type.value(field.name(), field.name()));
    return type.build();
  }

  GraphQLFieldDefinition root(RootModel root) {
    return switch (root) {
      case RootModel.Rows(var name, var table) ->
          newFieldDefinition()
              .name(name)
              .description(table.table().comment())
              .type(rows(table))
              .arguments(rowArguments(table, false))
              .build();
      case RootModel.ByKey(var name, var table, var keys) -> byKey(name, table, keys);
      case RootModel.Aggregate(var name, var table) ->
          newFieldDefinition()
              .name(name)
              .type(nonNull(typeRef(table.names().aggregate())))
              .arguments(rowArguments(table, false))
              .build();
      case RootModel.Groups(var name, var table) ->
          GroupTypes.field(name, table, pageArguments(false));
      case RootModel.Connection(var name, var table, var key) -> ConnectionTypes.field(name, table);
      case RootModel.Call call -> call(call);
    };
  }

  private GraphQLFieldDefinition byKey(String name, TableModel table, Map<String, Column> keys) {
    var field = newFieldDefinition().name(name).type(typeRef(table.typeName()));
    keys.forEach((key, column) -> field.argument(argument(key, nonNull(input(column.type())))));
    return field.build();
  }

  /** Returns the field of a routine; the type of its rows is added to the schema. */
  GraphQLFieldDefinition call(RootModel.Call call) {
    var object = newObject().name(call.typeName());
    call.fields().forEach((name, column) -> object.field(column(name, column)));
    if (call.fields().isEmpty()) {
      object.field(newFieldDefinition().name("done").type(nonNull(typeRef(ScalarName.BOOLEAN))));
    }
    types.add(object.build());
    var type = typeRef(call.typeName());
    var field =
        newFieldDefinition()
            .name(call.name())
            .description(call.routine().comment())
            .type(call.routine().returnsMany() ? nonNull(list(nonNull(type))) : type);
    call.arguments()
        .forEach((name, parameter) -> {
          var argument = input(parameter.type());
          var optional = parameter.nullable() || parameter.defaultExpression() != null;
          field.argument(argument(name, optional ? argument : nonNull(argument)));
        });
    return field.build();
  }

  static GraphQLOutputType rows(TableModel table) {
    return nonNull(list(nonNull(typeRef(table.typeName()))));
  }

  private List<GraphQLArgument> rowArguments(TableModel table, boolean nested) {
    var names = table.names();
    var arguments = new ArrayList<GraphQLArgument>();
    if (model.has(Capability.DISTINCT_ON)) {
      arguments.add(argument("distinct_on", list(nonNull(typeRef(names.selectColumn())))));
    }
    arguments.addAll(pageArguments(nested));
    arguments.add(argument("order_by", list(nonNull(typeRef(names.orderBy())))));
    arguments.add(argument("where", typeRef(names.boolExp())));
    return arguments;
  }

  /** The arguments that select a part of rows, or of groups. */
  private List<GraphQLArgument> pageArguments(boolean nested) {
    if (nested && !model.has(Capability.NESTED_LIMIT)) {
      return List.of();
    }
    var limit = argument("limit", typeRef(ScalarName.INT));
    return model.has(Capability.OFFSET)
        ? List.of(limit, argument("offset", typeRef(ScalarName.INT)))
        : List.of(limit);
  }

  static GraphQLArgument argument(String name, GraphQLInputType type) {
    return newArgument().name(name).type(type).build();
  }

  static GraphQLInputObjectField inputField(
      String name, GraphQLInputType type, @Nullable String description) {
    return GraphQLInputObjectField.newInputObjectField()
        .name(name)
        .type(type)
        .description(description)
        .build();
  }

  GraphQLInputType input(DataType type) {
    return (GraphQLInputType) reference(type);
  }

  private GraphQLOutputType output(DataType type) {
    return (GraphQLOutputType) reference(type);
  }

  private GraphQLType reference(DataType type) {
    return type instanceof DataType.Array(var element)
        ? list(reference(element))
        : typeRef(model.types().scalarName(type));
  }
}
