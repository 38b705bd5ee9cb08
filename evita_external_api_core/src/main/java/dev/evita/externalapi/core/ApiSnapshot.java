// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.externalapi.core.carpool.Carpool;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.exchange.Router;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.live.CommitWatch;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.SystemTable;
import dev.evita.externalapi.core.work.Statements;
import java.util.ArrayList;
import java.util.List;

/**
 * All APIs of one catalog epoch. Immutable: a request is completed on the snapshot on which it
 * began.
 *
 * @param source the engine's catalog that the APIs were built from
 */
record ApiSnapshot(Catalog source, List<Api> apis, Router router) {

  private static final int STATEMENTS = 4_096;

  /** The parts that all snapshots of one server share. */
  record Parts(
      Engine engine,
      List<ApiProvider> providers,
      ServerOptions options,
      SystemApi system,
      CommitWatch tables,
      BackgroundWork background,
      Carpool carpool) {}

  /**
   * Takes over state that outlives an epoch from the previous snapshot; called before this one
   * serves.
   */
  void succeed(ApiSnapshot predecessor) {
    for (int i = 0; i < apis.size(); i++) {
      apis.get(i).succeed(predecessor.apis.get(i));
    }
  }

  static ApiSnapshot build(Parts parts, Catalog catalog) {
    var shown = catalog.without(table -> SystemTable.is(catalog, table));
    var statements = new Statements(parts.engine(), catalog, STATEMENTS, parts.carpool());
    var keys = new IdempotencyKeys(catalog, statements, parts.options().idempotencyRetention());
    var published = shown.renamed(parts.options().relationshipNames());
    var apis = new ArrayList<Api>();
    apis.add(parts.system());
    for (var provider : parts.providers()) {
      apis.add(
          provider.api(
              new ApiContext(
                  published,
                  catalog,
                  parts.engine().capabilities(),
                  statements,
                  parts.options().limits(),
                  parts.tables(),
                  parts.background(),
                  apis.stream().flatMap(api -> api.routes().stream()).toList(),
                  keys)));
    }
    return new ApiSnapshot(catalog, apis, new Router(apis));
  }
}
