// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.live.TableVersions;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.work.Statements;
import java.util.Set;

/**
 * What a provider builds an API from.
 *
 * @param catalog what is shown of this epoch's catalog, with the configured relationship names
 * @param source this epoch's catalog with the server's own tables
 * @param capabilities what the engine can do
 * @param statements prepared operations of this epoch
 * @param limits the server's limits
 * @param tables when tables last changed; lives as long as the server, beyond this epoch
 * @param background for work that no request waits for; likewise
 * @param idempotencyKeys stores the answers to writes that have a key
 */
public record ApiContext(
    Catalog catalog,
    Catalog source,
    Set<Capability> capabilities,
    Statements statements,
    Limits limits,
    TableVersions tables,
    BackgroundWork background,
    IdempotencyKeys idempotencyKeys) {
  public ApiContext {
    capabilities = Set.copyOf(capabilities);
  }
}
