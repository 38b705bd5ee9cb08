// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import java.util.ArrayList;
import java.util.List;

/**
 * All APIs of one catalog epoch. Immutable: a request that began on it ends on it.
 *
 * @param source the engine's catalog that it was built from
 */
record Snapshot(Catalog source, Router router) {

  private static final int STATEMENTS = 4_096;

  static Snapshot build(
      Engine engine,
      Catalog catalog,
      List<ApiProvider> providers,
      ServerOptions options,
      SystemApi system) {
    var context =
        new ApiContext(
            catalog.renamed(options.relationshipNames()),
            engine.capabilities(),
            new Statements(engine, STATEMENTS),
            options.limits());
    var apis = new ArrayList<Api>();
    apis.add(system);
    providers.forEach(provider -> apis.add(provider.api(context)));
    return new Snapshot(catalog, new Router(apis));
  }
}
