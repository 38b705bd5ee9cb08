// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The address, limits and timeouts of a server. The framing rules of {@link StrictHttp} are not
 * configurable: they apply to every server.
 *
 * @param name the name of its threads
 * @param address the address to listen on; port 0 picks a free one
 * @param ioThreads 0 for one per core, and at least two
 * @param maxConnections concurrent connections
 * @param reservedPrefix paths that are also served on {@link ClientConnection#RESERVE} further
 *     connections, which reject any other request
 * @param allowedHosts host names that requests may use; see {@link AllowedHosts#of}
 * @param maxHeaderBytes the largest head of a request
 * @param maxUrlBytes the longest target that the handler accepts; used for sizing only
 * @param idleTimeout how long a connection may stay open without a request
 * @param requestTimeout time within which a head must be complete
 * @param heartbeat silence after which an HTTP/2 client with open streams is sent a PING
 * @param sockets options of the operating system's sockets
 */
public record HttpServerOptions(
    String name,
    InetSocketAddress address,
    int ioThreads,
    int maxConnections,
    String reservedPrefix,
    List<String> allowedHosts,
    int maxHeaderBytes,
    int maxUrlBytes,
    Duration idleTimeout,
    Duration requestTimeout,
    Duration heartbeat,
    SocketOptions sockets) {

  /** Copies the lists. */
  public HttpServerOptions {
    allowedHosts = List.copyOf(allowedHosts);
  }

  Http2Options http2() {
    return new Http2Options(
        maxHeaderBytes, StrictHttp.MAX_FIELDS, requestTimeout, heartbeat, idleTimeout);
  }
}
