// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.Api;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.ApiProvider;

/** Serves GraphQL in Hasura's dialect. Stateless and thread-safe. */
public final class GraphQlProvider implements ApiProvider {

  private final GraphQlOptions options;

  /** With {@link GraphQlOptions#DEFAULT}; for {@link java.util.ServiceLoader}. */
  public GraphQlProvider() {
    this(GraphQlOptions.DEFAULT);
  }

  public GraphQlProvider(GraphQlOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "graphql";
  }

  @Override
  public Api api(ApiContext context) {
    return new GraphQlApi(context, options);
  }
}
