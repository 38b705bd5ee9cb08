// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

/**
 * A protocol. Found by {@link java.util.ServiceLoader}, or given to {@code
 * ExternalApiServer.Builder}.
 *
 * <p>Stateless: one provider may serve several servers in one JVM.
 */
public interface ApiProvider {

  /** A short name, unique among providers, for example {@code graphql}. */
  String name();

  /**
   * Builds the API of one catalog epoch.
   *
   * <p>Called at start and after each schema change, never on an I/O thread. What it returns
   * replaces its predecessor in one step, while requests that run finish on the old one.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_CONFIGURATION}
   */
  Api api(ApiContext context);
}
