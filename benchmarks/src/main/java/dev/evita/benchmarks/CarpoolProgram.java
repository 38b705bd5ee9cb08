// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A way to serve the visits: the demonstration's server in its ways, and a SQL handler. */
enum CarpoolProgram implements Subject {
  EXPRESS_SINGLE("Express, separate queries", "/single", 1),
  EXPRESS_MULTIPLE("Express, batched queries", "/multiple", 1),
  EXPRESS_3_SINGLE("3 Express, HAProxy, separate queries", "/single", 3),
  EXPRESS_3_MULTIPLE("3 Express, HAProxy, batched queries", "/multiple", 3),
  EVITA("Evita", "/single", 0),
  EVITA_CARPOOL_OFF("Evita, carpool off", "/single", 0),
  EVITA_CARPOOL_ON("Evita, carpool on", "/single", 0),
  EVITA_SET_BASED("Evita, set-based handler", "/single", 0);

  private static final Path DIRECTORY = Path.of("candidates", "carpool", "express");

  private static final String SINGLE =
      """
      -- route: GET /single
      -- read-only: false
      with visit as (select 1 + floor(random() * %d)::integer as id from request)
      update users set "lastLastSeen" = "lastSeen", "lastSeen" = now()
        from visit where users.id = visit.id
        returning json_build_object('first', "lastLastSeen" is null) as body
      """
          .formatted(VisitorDatabase.VISITORS);

  private static final String SINGLE_BY_ID =
      """
      -- route: GET /single/:visitor
      -- path: visitor integer
      -- read-only: false
      update users set "lastLastSeen" = "lastSeen", "lastSeen" = now()
        from request where users.id = request.visitor
        returning json_build_object('first', "lastLastSeen" is null) as body
      """;

  /** One statement for many requests, of which no two have the same visitor. */
  private static final String SET_BASED =
      """
      -- route: GET /single/:visitor
      -- path: visitor integer
      -- read-only: false
      -- set-based: true
      -- conflict-key: visitor
      update users set "lastLastSeen" = "lastSeen", "lastSeen" = now()
        from request where users.id = request.visitor
        returning request.id, json_build_object('first', "lastLastSeen" is null) as body
      """;

  private final String title;
  private final String target;
  private final int processes;

  CarpoolProgram(String title, String target, int processes) {
    this.title = title;
    this.target = target;
    this.processes = processes;
  }

  /** The processes of a program, and the port that requests go to. */
  record Servers(List<ServerProcess> processes, List<ServerProcess> proxies)
      implements AutoCloseable {

    int port() {
      return (proxies.isEmpty() ? processes : proxies).getFirst().port();
    }

    double serverMicros() {
      return micros(processes);
    }

    double proxyMicros() {
      return micros(proxies);
    }

    private static double micros(List<ServerProcess> processes) {
      return processes.stream().mapToDouble(each -> ProcessorTime.micros(each.handle())).sum();
    }

    @Override
    public void close() {
      proxies.forEach(ServerProcess::close);
      processes.forEach(ServerProcess::close);
    }
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String version() throws IOException {
    return ours() ? Candidate.EVITA.version() : new CandidateBuild(DIRECTORY).version("express");
  }

  private boolean ours() {
    return processes == 0;
  }

  /** Whether several processes share the requests. */
  boolean proxied() {
    return processes > 1;
  }

  /** Processes that each run on one thread; 0 if threads are not the limit. */
  int singleThreads() {
    return processes;
  }

  /** The path of a visit of a random visitor, whom the server draws. */
  String target() {
    return target;
  }

  /** Whether the client draws the visitor: a conflict key must be known before the statement. */
  boolean clientDraws() {
    return this == EVITA_SET_BASED;
  }

  @Override
  public ServerProcess start(ServerProcess.Cores cores, List<String> jvm) {
    throw new UnsupportedOperationException("a program may have several processes");
  }

  /**
   * Builds and starts it, and returns once it accepts connections. The caller closes it.
   *
   * @throws IOException if it cannot be built or started, with the reason
   */
  Servers start(URI database, int connections) throws IOException, InterruptedException {
    if (ours()) {
      return new Servers(List.of(evita(database, connections)), List.of());
    }
    if (proxied()) {
      Programs.require("haproxy");
    }
    var command = new CandidateBuild(DIRECTORY).command();
    var started = new ArrayList<ServerProcess>();
    try {
      for (int i = 0; i < processes; i++) {
        started.add(express(command, database));
      }
      return new Servers(started, proxied() ? List.of(HaProxy.start(started)) : List.of());
    } catch (IOException | RuntimeException e) {
      started.forEach(ServerProcess::close);
      throw e;
    }
  }

  private static ServerProcess express(List<String> command, URI database) throws IOException {
    var port = ServerProcess.freePort();
    var environment =
        Map.of(
            "PORT", String.valueOf(port),
            "DATABASE_URL", database.toString(),
            "NODE_ENV", "production");
    return ServerProcess.program(port, ServerProcess.Cores.ALL, environment, command);
  }

  private ServerProcess evita(URI database, int connections) throws IOException {
    var handlers = Files.createTempDirectory("evita-carpool");
    if (this == EVITA_SET_BASED) {
      Files.writeString(handlers.resolve("single_by_id.sql"), SET_BASED);
    } else {
      Files.writeString(handlers.resolve("single.sql"), SINGLE);
      Files.writeString(handlers.resolve("single_by_id.sql"), SINGLE_BY_ID);
    }
    return TpcbServer.start(
        ServerProcess.Cores.ALL,
        List.of(),
        TpcbServer.jdbc(database, true),
        handlers,
        connections,
        switch (this) {
          case EVITA_CARPOOL_OFF -> List.of("--carpool", "off");
          case EVITA_CARPOOL_ON -> List.of("--carpool", "on");
          default -> List.of();
        });
  }
}
