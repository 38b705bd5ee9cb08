// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import dev.evita.externalapi.graphql.model.ApiModel;
import graphql.schema.GraphQLSchema;

/** The schema of a model, for tests in other packages. */
public final class OracleSchema {

  private OracleSchema() {}

  /** Generates and validates the schema of a model. */
  public static GraphQLSchema of(ApiModel model) {
    return SchemaGenerator.generate(model, true);
  }
}
