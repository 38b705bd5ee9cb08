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
 * @param name the name of its threads
 * @param hostKey the configuration key of {@code host}
 * @param portKey the configuration key of {@code port}
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

  /** The options of the port for all clients. */
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
   * The options of the management port, which has its own thread, so that it responds even when all
   * I/O threads of the main port are blocked. Empty if none is configured.
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
   * Resolves the address to listen on.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} if the host cannot be resolved
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
