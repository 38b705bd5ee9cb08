// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.externalapi.core.transaction.TransactionExecution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An insert under way, with all that is nested in it. Used once, by one thread at a time. */
public final class NestedInsert {

  private final List<InsertStatement> inserts;
  private final List<InsertedRows> reading;
  private int inserted;
  private int read;

  /**
   * @param reading what is read once all is inserted
   */
  NestedInsert(List<InsertStatement> inserts, List<InsertedRows> reading) {
    this.inserts = inserts;
    this.reading = reading;
  }

  /**
   * What its statements cost together, as {@code Cost} estimates it.
   *
   * @param estimatedRows what a list without a limit is taken for
   */
  public double cost(int estimatedRows) {
    return inserts.stream().mapToDouble(each -> each.cost(estimatedRows)).sum()
        + reading.stream().mapToDouble(each -> each.cost(estimatedRows)).sum();
  }

  /** The next statement, once the one before has ended; null where there is none left. */
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

  /** How many rows were inserted or updated, nested ones included. */
  public long affected() {
    return inserts.stream().mapToLong(InsertStatement::affected).sum();
  }

  /** How many of the root's rows were inserted or updated. */
  public long affectedRoots() {
    return inserts.stream()
        .filter(InsertStatement::isOfRoot)
        .mapToLong(InsertStatement::affected)
        .sum();
  }
}
