// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.externalapi.core.transaction.TransactionExecution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An insert in progress, with all nested rows. Used once, by one thread at a time. */
public final class NestedInsert {

  private final List<InsertStatement> inserts;
  private final List<InsertedRows> reading;
  private int inserted;
  private int read;

  /**
   * @param reading the statements that read rows after all inserts
   */
  NestedInsert(List<InsertStatement> inserts, List<InsertedRows> reading) {
    this.inserts = inserts;
    this.reading = reading;
  }

  /**
   * The estimated cost of all statements, as computed by {@code Cost}.
   *
   * @param estimatedRows the assumed size of a list without a limit
   */
  public double cost(int estimatedRows) {
    return inserts.stream().mapToDouble(each -> each.cost(estimatedRows)).sum()
        + reading.stream().mapToDouble(each -> each.cost(estimatedRows)).sum();
  }

  /** The next statement, once the previous one has ended; null if there is none left. */
  public TransactionExecution.@Nullable Statement next() {
    if (inserted < inserts.size()) {
      return inserts.get(inserted++);
    }
    while (read < reading.size()) {
      var statement = reading.get(read++);
      if (statement.open()) {
        return statement;
      }
    }
    return null;
  }

  /** The number of rows inserted or updated, nested ones included. */
  public long affected() {
    return inserts.stream().mapToLong(InsertStatement::affected).sum();
  }

  /** The number of the root's rows that were inserted or updated. */
  public long affectedRoots() {
    return inserts.stream()
        .filter(InsertStatement::isOfRoot)
        .mapToLong(InsertStatement::affected)
        .sum();
  }
}
