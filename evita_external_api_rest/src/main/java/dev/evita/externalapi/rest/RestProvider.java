// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;

/** Serves REST in PostgREST's dialect. Thread-safe. */
public final class RestProvider implements ApiProvider {

  private final RestOptions options;

  /** Creates a provider with {@link RestOptions#DEFAULT}; for {@link java.util.ServiceLoader}. */
  public RestProvider() {
    this(RestOptions.DEFAULT);
  }

  /** Creates a provider with the given options. */
  public RestProvider(RestOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "rest";
  }

  @Override
  public Api api(ApiContext context) {
    return new RestApi(context, options);
  }
}
