// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.TransactionRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An insert, with all that is nested in it. */
final class InsertWork implements MutationWork {

  private final List<InsertStatement> inserts;
  private final List<InsertedRows> reading;
  private final MutationShape shape;
  private final ReturnedRows rows;
  private int inserted;
  private int read;

  /**
   * @param reading what is read once all is inserted
   */
  InsertWork(
      List<InsertStatement> inserts,
      List<InsertedRows> reading,
      MutationShape shape,
      ReturnedRows rows) {
    this.inserts = inserts;
    this.reading = reading;
    this.shape = shape;
    this.rows = rows;
  }

  @Override
  public double cost() {
    return inserts.stream().mapToDouble(InsertStatement::cost).sum()
        + reading.stream().mapToDouble(InsertedRows::cost).sum();
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
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

  @Override
  public void write(JsonWriter json) {
    var affected = inserts.stream().mapToLong(InsertStatement::affected).sum();
    shape.write(json, affected, rows);
  }
}
