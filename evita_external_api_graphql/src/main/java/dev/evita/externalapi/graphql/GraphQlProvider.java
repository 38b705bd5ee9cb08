// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.graphql.documents.DocumentStore;

/**
 * Serves GraphQL in Hasura's dialect. Thread-safe; documents that clients registered outlive
 * changes of the schema.
 */
public final class GraphQlProvider implements ApiProvider {

  private final GraphQlOptions options;
  private final DocumentStore store;

  /**
   * Creates a provider with {@link GraphQlOptions#DEFAULT}; for {@link java.util.ServiceLoader}.
   */
  public GraphQlProvider() {
    this(GraphQlOptions.DEFAULT);
  }

  /**
   * Creates a provider with the given options.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_CONFIGURATION} if the trusted documents
   *     cannot be read
   */
  public GraphQlProvider(GraphQlOptions options) {
    this.options = options;
    this.store =
        DocumentStore.of(
            options.trustedDocuments(), options.persistedQueries(), options.planCacheChars());
  }

  @Override
  public String name() {
    return "graphql";
  }

  @Override
  public Api api(ApiContext context) {
    return new GraphQlApi(context, options, store);
  }
}
