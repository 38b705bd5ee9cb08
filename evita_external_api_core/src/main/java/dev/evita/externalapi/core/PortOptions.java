// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.http.HttpServerOptions;
import dev.evita.http.SocketOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * The options of one port.
 *
 * @param name of its threads
 * @param hostKey the key of the configuration that names {@code host}
 * @param portKey the key that names {@code port}
 * @param ioThreads 0 for one per core
 */
record PortOptions(
    String name,
    String hostKey,
    String portKey,
    String host,
    int port,
    int ioThreads,
    int maxConnections) {

  private static final int MANAGEMENT_CONNECTIONS = 256;
  private static final String SYSTEM = "/system/";

  /** Those of the port that all clients use. */
  static PortOptions main(ServerOptions options) {
    return new PortOptions(
        "evita",
        "host",
        "port",
        options.host(),
        options.port(),
        options.ioThreads(),
        options.limits().maxConnections());
  }

  /**
   * Those of the management port, which has a thread of its own: it answers also when all I/O
   * threads of the other port are stuck. Empty where none is configured.
   */
  static Optional<PortOptions> management(ServerOptions options) {
    return Optional.ofNullable(options.managementPort())
        .map(port ->
            new PortOptions(
                "evita-management",
                "management-host",
                "management-port",
                options.managementHost(),
                port,
                1,
                MANAGEMENT_CONNECTIONS));
  }

  /**
   * The address to listen on.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a host that is not known
   */
  InetSocketAddress address() {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          hostKey + " is '" + host + "'; expected an address of this machine or 0.0.0.0",
          e);
    }
  }

  /** The transport's options. */
  HttpServerOptions http(ServerOptions options, InetSocketAddress address, SocketOptions sockets) {
    var limits = options.limits();
    return new HttpServerOptions(
        name,
        address,
        ioThreads,
        maxConnections,
        SYSTEM,
        options.allowedHosts(),
        limits.maxHeaderBytes(),
        limits.maxUrlBytes(),
        limits.idleTimeout(),
        limits.requestTimeout(),
        limits.heartbeat(),
        sockets);
  }
}
