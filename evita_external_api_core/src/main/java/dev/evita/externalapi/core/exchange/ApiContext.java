// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.live.CommitWatch;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.work.Statements;
import java.util.List;
import java.util.Set;

/**
 * The inputs from which a provider builds an API.
 *
 * @param catalog the published part of this epoch's catalog, with the configured relationship names
 * @param source this epoch's catalog including the server's own tables
 * @param capabilities the engine's capabilities
 * @param statements prepared operations of this epoch
 * @param limits the server's limits
 * @param tables the last change of each table; lives as long as the server, beyond this epoch
 * @param background runs work that no request waits for; likewise
 * @param routes those of the APIs built before
 * @param idempotencyKeys stores the responses to writes with an idempotency key
 */
public record ApiContext(
    Catalog catalog,
    Catalog source,
    Set<Capability> capabilities,
    Statements statements,
    Limits limits,
    CommitWatch tables,
    BackgroundWork background,
    List<Route> routes,
    IdempotencyKeys idempotencyKeys) {
  public ApiContext {
    capabilities = Set.copyOf(capabilities);
    routes = List.copyOf(routes);
  }
}
