// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.Statements;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import java.util.Objects;

/** All that compiling against one catalog epoch needs. Immutable, thread-safe. */
final class GraphQlSchema {

  private final ApiModel model;
  private final GraphQLSchema schema;
  private final Inputs inputs;
  private final Statements statements;
  private final int maxDepth;
  private final GraphQlLimits limits;
  private final long maxCost;
  private final int estimatedRows;
  private final Introspector introspector;

  GraphQlSchema(ApiContext context, GraphQlLimits limits) {
    this.model = ApiModel.of(context.catalog(), context.capabilities());
    this.schema = SchemaGenerator.generate(model, false);
    this.inputs = new Inputs(model.types());
    this.statements = context.statements();
    this.maxDepth = context.limits().maxDepth();
    this.limits = limits;
    this.maxCost = context.limits().maxCost();
    this.estimatedRows = context.limits().estimatedRows();
    this.introspector = new Introspector(schema);
  }

  ApiModel model() {
    return model;
  }

  GraphQLSchema schema() {
    return schema;
  }

  Inputs inputs() {
    return inputs;
  }

  Statements statements() {
    return statements;
  }

  int maxDepth() {
    return maxDepth;
  }

  GraphQlLimits limits() {
    return limits;
  }

  /** The limit that holds for all protocols. */
  long maxCost() {
    return maxCost;
  }

  /** What a list without a limit is taken for. */
  int estimatedRows() {
    return estimatedRows;
  }

  GraphQLObjectType objectType(String name) {
    return Objects.requireNonNull(schema.getObjectType(name), name);
  }

  GraphQLInputObjectType inputObject(String name) {
    return (GraphQLInputObjectType) Objects.requireNonNull(schema.getType(name), name);
  }

  Introspector introspector() {
    return introspector;
  }
}
