// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.insert.RowKey;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.graphql.plan.MutationWork;
import dev.evita.externalapi.graphql.plan.RowSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A delete that returns related rows of the deleted ones: those are read first, as they may not
 * exist afterwards; then the delete returns the rows that it actually removed.
 */
final class DeleteWork implements MutationWork {

  private final RowSource.Bound select;
  private final RowSource.Bound delete;
  private final int firstKeySlot;
  private final int keySize;
  private final MutationShape shape;
  private final ReturnedRows rows;
  private final Map<List<Object>, byte[][]> read = new HashMap<>();
  private int begun;
  private long affected;

  /**
   * @param select returns the values of the response, and from {@code firstKeySlot} on the {@code
   *     keySize} columns that identify the rows
   * @param delete returns only these columns of each deleted row
   */
  DeleteWork(
      RowSource.Bound select,
      RowSource.Bound delete,
      int firstKeySlot,
      int keySize,
      MutationShape shape) {
    this.select = select;
    this.delete = delete;
    this.firstKeySlot = firstKeySlot;
    this.keySize = keySize;
    this.shape = shape;
    this.rows = new ReturnedRows(shape.shapes());
  }

  @Override
  public double cost() {
    return select.cost() + delete.cost();
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    return switch (begun++) {
      case 0 -> new Reading();
      case 1 -> new Deleting();
      default -> null;
    };
  }

  @Override
  public void write(JsonWriter json) {
    shape.write(json, affected, rows);
  }

  private final class Reading implements TransactionExecution.Statement {
    @Override
    public Prepared prepared() {
      return select.prepared();
    }

    @Override
    public Arguments arguments() {
      return select.arguments();
    }

    @Override
    public void row(Row row, Quota quota) {
      read.put(RowKey.of(row, firstKeySlot, keySize), rows.render(row, quota));
    }

    @Override
    public void completed(long unused) {}
  }

  private final class Deleting implements TransactionExecution.Statement {
    @Override
    public Prepared prepared() {
      return delete.prepared();
    }

    @Override
    public Arguments arguments() {
      return delete.arguments();
    }

    @Override
    public void row(Row row, Quota quota) {
      var known = read.get(RowKey.of(row, 0, keySize));
      if (known == null) {
        throw new EvitaException(
            ErrorCode.SERIALIZATION_FAILURE,
            "Another transaction changed the rows while they were deleted; try again");
      }
      rows.add(known);
    }

    @Override
    public void completed(long deleted) {
      affected = deleted;
    }
  }
}
