// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

/**
 * A protocol, found by {@link java.util.ServiceLoader} or passed to {@code
 * ExternalApiServer.Builder}.
 *
 * <p>Stateless: one provider may serve several servers in one JVM.
 */
public interface ApiProvider {

  /** A short name, unique among providers, for example {@code graphql}. */
  String name();

  /**
   * Whether its API serves the paths that others leave, so that it is built last and knows the
   * others' routes.
   */
  default boolean servesOtherPaths() {
    return false;
  }

  /**
   * Builds the API of one catalog epoch.
   *
   * <p>Called at start and after each schema change, never on an I/O thread. The result replaces
   * its predecessor atomically, while requests in progress finish on the old one.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_CONFIGURATION}
   */
  Api api(ApiContext context);
}
