// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** HAProxy in front of servers on this machine, which take requests in turn. */
final class HaProxy {

  private HaProxy() {}

  /** Starts it on a free port; the caller closes it. */
  static ServerProcess start(List<ServerProcess> servers) throws IOException {
    var port = ServerProcess.freePort();
    var configuration =
        new StringBuilder(
            """
            global
              maxconn 4000
            defaults
              mode http
              timeout connect 5s
              timeout client 60s
              timeout server 60s
            frontend web
              bind 127.0.0.1:%d
              default_backend servers
            backend servers
              balance roundrobin
            """
                .formatted(port));
    for (var server : servers) {
      configuration.append("  server web%1$d 127.0.0.1:%1$d%n".formatted(server.port()));
    }
    var file = Files.createTempFile("evita-haproxy", ".cfg");
    Files.writeString(file, configuration);
    return ServerProcess.program(
        port, ServerProcess.Cores.ALL, Path.of("haproxy"), List.of("-db", "-f", file.toString()));
  }
}
