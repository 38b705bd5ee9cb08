// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;

/**
 * The state of pgbench's tables by which a run is checked.
 *
 * @param accounts sum of the balances of all accounts
 * @param tellers of all tellers
 * @param branches of all branches
 * @param deltas sum of the deltas in the history
 * @param history rows in the history
 */
record TpcbSums(long accounts, long tellers, long branches, long deltas, long history) {

  /**
   * Checks that a run was a number of whole transactions.
   *
   * @param before the sums before the run
   * @param succeeded transactions that were acknowledged to the client
   * @param unknown further transactions whose outcome the client does not know: those that failed
   *     or were in flight when it ended
   * @throws IOException if some sums moved differently, or rows of the history are missing or too
   *     many
   */
  void requireConsistent(TpcbSums before, long succeeded, long unknown) throws IOException {
    var moved = accounts - before.accounts;
    var rows = history - before.history;
    if (tellers - before.tellers != moved
        || branches - before.branches != moved
        || deltas - before.deltas != moved) {
      throw new IOException(
          "inconsistent balances; expected equal sums of accounts, tellers, branches and deltas,"
              + " got %s after %s".formatted(this, before));
    }
    if (rows < succeeded || rows > succeeded + unknown) {
      throw new IOException(
          "inconsistent history; expected %d rows and at most %d more, got %d"
              .formatted(succeeded, unknown, rows));
    }
  }
}
