// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The transaction as a SQL handler, served by this project's server as users start it. */
final class TpcbServer {

  private static final String DECLARATION =
      """
      -- route: POST /transaction
      -- json: aid integer not null
      -- json: tid integer not null
      -- json: bid integer not null
      -- json: delta integer not null
      """;

  /** A handler ends with a query, so the balance is read last and not second. */
  private static final String STATEMENTS =
      """
      update pgbench_accounts set abalance = abalance + (select delta from request)
        where aid = (select aid from request);
      update pgbench_tellers set tbalance = tbalance + (select delta from request)
        where tid = (select tid from request);
      update pgbench_branches set bbalance = bbalance + (select delta from request)
        where bid = (select bid from request);
      insert into pgbench_history (tid, bid, aid, delta, mtime, filler)
        select tid, bid, aid, delta, current_timestamp, repeat('x', 22) from request;
      select %s as body from pgbench_accounts where aid = (select aid from request)
      """;

  /** The same for any number of requests at a time, of which no two have the same account. */
  private static final String SET_BASED =
      """
      -- set-based: true
      -- conflict-key: aid
      update pgbench_accounts set abalance = abalance + request.delta
        from request where pgbench_accounts.aid = request.aid;
      update pgbench_tellers set tbalance = tbalance + sums.delta
        from (select tid, sum(delta) as delta from request group by tid) sums
        where pgbench_tellers.tid = sums.tid;
      update pgbench_branches set bbalance = bbalance + sums.delta
        from (select bid, sum(delta) as delta from request group by bid) sums
        where pgbench_branches.bid = sums.bid;
      insert into pgbench_history (tid, bid, aid, delta, mtime, filler)
        select tid, bid, aid, delta, current_timestamp, repeat('x', 22) from request;
      select request.id, json_build_object('balance', pgbench_accounts.abalance) as body
        from request join pgbench_accounts on pgbench_accounts.aid = request.aid
      """;

  /** The same for H2, which has no {@code update ... from}. */
  private static final String SET_BASED_H2 =
      """
      -- set-based: true
      -- conflict-key: aid
      update pgbench_accounts set abalance = abalance
          + (select delta from request where request.aid = pgbench_accounts.aid)
        where aid in (select aid from request);
      update pgbench_tellers set tbalance = tbalance
          + (select sum(delta) from request where request.tid = pgbench_tellers.tid)
        where tid in (select tid from request);
      update pgbench_branches set bbalance = bbalance
          + (select sum(delta) from request where request.bid = pgbench_branches.bid)
        where bid in (select bid from request);
      insert into pgbench_history (tid, bid, aid, delta, mtime, filler)
        select tid, bid, aid, delta, current_timestamp, repeat('x', 22) from request;
      select request.id, json_object('balance': pgbench_accounts.abalance) as body
        from request join pgbench_accounts on pgbench_accounts.aid = request.aid
      """;

  /** For H2 in the server's process, which no other process can read meanwhile. */
  private static final String SUMS =
      """
      -- route: GET /sums
      select json_object('accounts': accounts, 'tellers': tellers, 'branches': branches,
        'deltas': deltas, 'history': history) as body from (%s) sums
      """
          .formatted(TpcbDatabase.SUMS);

  private TpcbServer() {}

  /** The handlers over PostgreSQL. */
  static Path onPostgres(boolean setBased) throws IOException {
    return handlers(
        setBased
            ? DECLARATION + SET_BASED
            : DECLARATION + STATEMENTS.formatted("json_build_object('balance', abalance)"));
  }

  /** The handlers over H2: the transaction, and {@code GET /sums}. */
  static Path onH2(boolean setBased) throws IOException {
    var directory =
        handlers(
            setBased
                ? DECLARATION + SET_BASED_H2
                : DECLARATION + STATEMENTS.formatted("json_object('balance': abalance)"));
    Files.writeString(directory.resolve("sums.sql"), SUMS);
    return directory;
  }

  private static Path handlers(String transaction) throws IOException {
    var directory = Files.createTempDirectory("evita-tpcb");
    Files.writeString(directory.resolve("transaction.sql"), transaction);
    return directory;
  }

  /**
   * Starts the server.
   *
   * @param url of the database, as JDBC takes it
   * @param users that are to be served at a time; the queue for workers is as long
   * @param more options of the command line
   */
  static ServerProcess start(
      ServerProcess.Cores cores,
      List<String> jvm,
      String url,
      Path handlers,
      int users,
      List<String> more)
      throws IOException {
    var arguments = new ArrayList<>(List.of("--handlers", handlers.toString()));
    // One is for the check before the load.
    arguments.addAll(List.of("--worker-queue", String.valueOf(Math.max(users, 1000) + 1)));
    arguments.addAll(List.of("--max-connections", String.valueOf(Math.max(users, 10_000) + 1)));
    arguments.addAll(more);
    return ServerProcess.evita(cores, url, jvm, arguments.toArray(new String[0]));
  }

  /** Returns the JDBC URL of a PostgreSQL. */
  static String jdbc(URI url, boolean prepared) {
    return "jdbc:postgresql://%s:%d%s?user=%s%s"
        .formatted(
            url.getHost(),
            url.getPort(),
            url.getPath(),
            url.getUserInfo(),
            prepared ? "" : "&prepareThreshold=0");
  }
}
