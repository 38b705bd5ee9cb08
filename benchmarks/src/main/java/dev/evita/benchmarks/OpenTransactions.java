// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Statements and transactions that a load has left in a PostgreSQL when it ended. */
final class OpenTransactions {

  private static final String RUNNING =
      "select count(*) from pg_stat_activity where datname = current_database()"
          + " and pid <> pg_backend_pid() and state <> 'idle'";

  private static final String END_LEFT_OPEN =
      "select count(pg_terminate_backend(pid)) from pg_stat_activity"
          + " where datname = current_database() and state like 'idle in transaction%'"
          + " and state_change < clock_timestamp() - interval '2 seconds'";

  private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LONGEST_SETTLING_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private OpenTransactions() {}

  /**
   * Waits until no statement and no transaction is left of a load that has ended. Transactions that
   * a program has left open, as some do when a client disconnects, are ended after a while: they
   * hold the locks of rows that all programs update.
   *
   * @return the number of transactions that were left open
   */
  static int settle(Connection connection) throws SQLException {
    var begun = System.nanoTime();
    var ended = 0;
    var quiet = 0;
    while (quiet < 2) {
      var waited = System.nanoTime() - begun;
      if (waited > LONGEST_SETTLING_NANOS) {
        throw new SQLException("statements are still running 60 s after the load has ended");
      }
      if (waited > OPEN_NANOS) {
        ended += (int) count(connection, END_LEFT_OPEN);
      }
      LockSupport.parkNanos(SETTLED_NANOS);
      quiet = count(connection, RUNNING) == 0 ? quiet + 1 : 0;
    }
    return ended;
  }

  private static long count(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
