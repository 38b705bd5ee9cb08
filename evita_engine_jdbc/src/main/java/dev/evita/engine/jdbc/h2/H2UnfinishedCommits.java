// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes the commits amid which a process ended.
 *
 * <p>H2 marks a transaction as committed and then goes through the rows that it changed. If the
 * process ends in between, who opens the file next has to go through the rest. H2 2.5.250 to
 * 2.5.252 do not: {@code Transaction.commit} passes over transactions that are marked already. Half
 * of the transaction is then visible, and its other rows are locked for ever.
 */
public final class H2UnfinishedCommits {

  private static final Logger LOG = LoggerFactory.getLogger(H2UnfinishedCommits.class);

  private H2UnfinishedCommits() {}

  /**
   * For a database that was just opened, if this process has it open itself. Transactions of its
   * sessions are not touched.
   */
  public static void finish(Connection connection) throws SQLException {
    var session = H2SchemaGuard.session(connection);
    if (session != null && !session.getDatabase().isReadOnly()) {
      finish(session.getDatabase().getStore().getTransactionStore());
    }
  }

  private static void finish(TransactionStore transactions) {
    var leftovers =
        transactions.getOpenTransactions().stream()
            .filter(each -> each.getStatus() == Transaction.STATUS_COMMITTED && isOfNoSession(each))
            .toList();
    if (leftovers.isEmpty()) {
      return;
    }
    LOG.info("Finishing {} commits amid which the process ended", leftovers.size());
    var commit =
        H2Internals.method(TransactionStore.class, "commit", Transaction.class, boolean.class);
    var end =
        H2Internals.method(
            TransactionStore.class, "endTransaction", Transaction.class, boolean.class);
    if (commit != null && end != null) {
      for (var each : leftovers) {
        H2Internals.call(commit, transactions, each, true);
        H2Internals.call(end, transactions, each, true);
      }
    }
  }

  private static boolean isOfNoSession(Transaction transaction) {
    var owner = H2Internals.field(Transaction.class, "ownerId");
    return owner != null && Objects.equals(H2Internals.get(owner, transaction), 0);
  }
}
