// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A program over its database, with the checks of its responses and of the balances. */
record TpcbContestant(TpcbProgram program, TpcbDatabase database, int users) implements Subject {

  private static final int REQUESTS_TO_RECONNECT = 3;

  /** A load that sends transactions to a port. */
  interface TransactionLoad {
    LoadResult run(int port) throws IOException, InterruptedException;
  }

  /**
   * A checked run.
   *
   * @param server processor time for each request, in microseconds, with an embedded database
   * @param database of PostgreSQL
   * @param pooler of PgBouncer
   * @param leftOpen transactions that the program left open after the client had disconnected
   */
  record Run(LoadResult load, double server, double database, double pooler, int leftOpen) {

    double client() {
      return load.clientMicros() / Math.max(load.requests(), 1);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,8.0f req/s  p50 %,.1f p95 %,.1f ms  errors %.2f %%  CPU us: client %.0f, server %.0f,"
              + " PgBouncer %.0f, PostgreSQL %.0f%s",
          load.perSecond(),
          load.latency().median(),
          load.latency().p95(),
          load.errorPercent(),
          client(),
          server,
          pooler,
          database,
          leftOpen == 0 ? "" : "  " + leftOpen + " transactions left open");
    }
  }

  @Override
  public String title() {
    return program.title();
  }

  @Override
  public String version() throws IOException {
    return program.version();
  }

  @Override
  public ServerProcess start(ServerProcess.Cores cores, List<String> jvm) throws IOException {
    try {
      return program.start(cores, jvm, database, users);
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * Checks the response to two transactions of one account: a wrong response may be a fast one.
   *
   * @throws IOException if the second balance is not the first one and the delta
   */
  void requireRight(int port) throws IOException, InterruptedException {
    var first = balance(port, 1);
    var second = balance(port, 2);
    if (second != first + 2) {
      throw new IOException(
          "wrong balance: expected %d after %d and a delta of 2, got %d"
              .formatted(first + 2, first, second));
    }
  }

  private static HttpProbe transfer(int delta) {
    return HttpProbe.json(
        "/transaction", "{\"aid\":1,\"tid\":1,\"bid\":1,\"delta\":%d}".formatted(delta));
  }

  private static long balance(int port, int delta) throws IOException, InterruptedException {
    var answer = ResponseCheck.of(port, transfer(delta));
    try {
      var tree = JsonMapper.shared().readTree(answer);
      if (tree.isObject() && tree.size() == 1 && tree.path("balance").isIntegralNumber()) {
        return tree.get("balance").asLong();
      }
    } catch (JacksonException e) {
      // Refused below, as any other that is not of this form.
    }
    throw new IOException("wrong body: expected {\"balance\":...}, got " + answer);
  }

  /**
   * Puts the server under this load, and checks it: the response before, the balances after.
   *
   * @throws IOException if a check fails
   */
  Run measure(ServerProcess server, TransactionLoad load) throws IOException, InterruptedException {
    try {
      requireRight(server.port());
      if (!program.embedded()) {
        database.reset();
      }
      var before = sums(server);
      var serverBefore = ProcessorTime.micros(server.handle());
      var databaseBefore = databaseMicros();
      var poolerBefore = poolerMicros();
      var result = load.run(server.port());
      var requests = Math.max(result.requests(), 1);
      var serverMicros = (ProcessorTime.micros(server.handle()) - serverBefore) / requests;
      var databaseMicros = (databaseMicros() - databaseBefore) / requests;
      var poolerMicros = (poolerMicros() - poolerBefore) / requests;
      var leftOpen = settle(server);
      sums(server)
          .requireConsistent(before, result.succeeded(), result.failed() + result.unfinished());
      reconnect(server, leftOpen);
      return new Run(result, serverMicros, databaseMicros, poolerMicros, leftOpen);
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private int settle(ServerProcess server) throws IOException, InterruptedException, SQLException {
    if (program.embedded()) {
      var before = sums(server);
      for (var after = sums(server); !after.equals(before); after = sums(server)) {
        before = after;
      }
      return 0;
    }
    return database.settle();
  }

  private static void reconnect(ServerProcess server, int leftOpen)
      throws IOException, InterruptedException {
    for (int i = 0; i < leftOpen * REQUESTS_TO_RECONNECT; i++) {
      // Their connections were closed, which a pool may notice by failing a request.
      ResponseCheck.of(server.port(), transfer(0));
    }
  }

  private double databaseMicros() throws SQLException {
    return program.embedded() ? 0 : database.databaseMicros();
  }

  private double poolerMicros() {
    return program.pooled() ? database.poolerMicros() : 0;
  }

  private TpcbSums sums(ServerProcess server)
      throws IOException, InterruptedException, SQLException {
    if (!program.embedded()) {
      return database.sums();
    }
    var tree =
        JsonMapper.shared().readTree(ResponseCheck.of(server.port(), HttpProbe.get("/sums")));
    return new TpcbSums(
        tree.get("accounts").asLong(),
        tree.get("tellers").asLong(),
        tree.get("branches").asLong(),
        tree.get("deltas").asLong(),
        tree.get("history").asLong());
  }
}
