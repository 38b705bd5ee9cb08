// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.input.SelectionLimits;
import dev.evita.externalapi.graphql.model.ApiModel;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import java.util.Objects;

/** The schema-dependent inputs of compilation for one catalog epoch. Immutable, thread-safe. */
public final class GraphQlSchema {

  private final ApiModel model;
  private final GraphQLSchema schema;
  private final Inputs inputs;
  private final Statements statements;
  private final DepthLimit nesting;
  private final SelectionLimits limits;
  private final long maxCost;
  private final int estimatedRows;
  private final Introspector introspector;

  public GraphQlSchema(ApiContext context, SelectionLimits limits) {
    this.model = ApiModel.of(context.catalog(), context.capabilities());
    this.schema = SchemaGenerator.generate(model, false);
    this.inputs = new Inputs(model.types());
    this.statements = context.statements();
    this.nesting = context.limits().depthLimit();
    this.limits = limits;
    this.maxCost = context.limits().maxCost();
    this.estimatedRows = context.limits().estimatedRows();
    this.introspector = new Introspector(schema);
  }

  public ApiModel model() {
    return model;
  }

  public GraphQLSchema schema() {
    return schema;
  }

  public Inputs inputs() {
    return inputs;
  }

  public Statements statements() {
    return statements;
  }

  public DepthLimit depthLimit() {
    return nesting;
  }

  public SelectionLimits limits() {
    return limits;
  }

  /** The cost limit that applies to all protocols. */
  public long maxCost() {
    return maxCost;
  }

  /** The assumed length of a list without a limit. */
  public int estimatedRows() {
    return estimatedRows;
  }

  public GraphQLObjectType objectType(String name) {
    return Objects.requireNonNull(schema.getObjectType(name), name);
  }

  public GraphQLInputObjectType inputObject(String name) {
    return (GraphQLInputObjectType) Objects.requireNonNull(schema.getType(name), name);
  }

  public Introspector introspector() {
    return introspector;
  }
}
