// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Description;

/**
 * How GraphQL is served. Immutable; each key of the configuration is a component's name in
 * kebab-case.
 */
public record GraphQlOptions(
    @Description("The path of the GraphQL endpoint.") String graphqlPath,
    @Description("Whether clients may ask for the schema by __schema and __type.")
        boolean introspection,
    @Description("Characters of documents whose plans are kept, over all documents.")
        long planCacheChars) {

  /** At {@code /graphql}, with introspection. */
  public static final GraphQlOptions DEFAULT = new GraphQlOptions("/graphql", true, 4L << 20);

  public GraphQlOptions {
    if (!graphqlPath.startsWith("/") || graphqlPath.length() < 2 || graphqlPath.endsWith("/")) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "graphql-path is '" + graphqlPath + "'; expected a path such as /graphql");
    }
    if (planCacheChars < 1) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "plan-cache-chars is " + planCacheChars + "; expected a number of at least 1");
    }
  }
}
