// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The address, limits and timeouts of a server. The rules of framing ({@link StrictHttp}) are not
 * among them: they hold for every server.
 *
 * @param name of its threads
 * @param address to listen on; port 0 picks a free one
 * @param ioThreads 0 for one per core, and at least two
 * @param maxConnections connections at one time
 * @param reservedPrefix the paths below it are served on {@link ClientConnection#RESERVE} more
 *     connections, on which any other request is refused
 * @param allowedHosts host names that requests may use; see {@link AllowedHosts#of}
 * @param maxHeaderBytes the largest head of a request
 * @param maxUrlBytes the longest target that the handler accepts; used for sizing only
 * @param idleTimeout how long a connection may stay open without a request
 * @param requestTimeout time within which a head must be complete
 * @param heartbeat silence after which a client of HTTP/2 with open streams is sent a PING
 * @param sockets of the operating system
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

  /** Copies what it is given. */
  public HttpServerOptions {
    allowedHosts = List.copyOf(allowedHosts);
  }

  Http2Options http2() {
    return new Http2Options(
        maxHeaderBytes, StrictHttp.MAX_FIELDS, requestTimeout, heartbeat, idleTimeout);
  }
}
