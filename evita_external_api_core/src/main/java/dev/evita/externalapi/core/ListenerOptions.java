// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.util.Optional;

/**
 * Where one port listens, and with how much.
 *
 * @param name of its threads
 * @param hostKey the key of the configuration that names {@code host}
 * @param portKey the key that names {@code port}
 * @param ioThreads 0 for one per core
 * @param management whether it serves {@code /system/*} alone, also while the server drains
 */
record ListenerOptions(
    String name,
    String hostKey,
    String portKey,
    String host,
    int port,
    int ioThreads,
    int maxConnections,
    boolean management) {

  private static final int MANAGEMENT_CONNECTIONS = 256;

  /** Those of the port that all clients use. */
  static ListenerOptions main(ServerOptions options) {
    return new ListenerOptions(
        "evita",
        "host",
        "port",
        options.host(),
        options.port(),
        options.ioThreads(),
        options.limits().maxConnections(),
        false);
  }

  /**
   * Those of the management port, which has a thread of its own: it answers also when all I/O
   * threads of the other port are stuck. Empty where none is configured.
   */
  static Optional<ListenerOptions> management(ServerOptions options) {
    return Optional.ofNullable(options.managementPort())
        .map(port ->
            new ListenerOptions(
                "evita-management",
                "management-host",
                "management-port",
                options.managementHost(),
                port,
                1,
                MANAGEMENT_CONNECTIONS,
                true));
  }
}
