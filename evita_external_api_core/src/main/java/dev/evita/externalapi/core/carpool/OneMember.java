// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;

/** A batch of one member. */
final class OneMember implements RowSink {
  private final BatchMember member;
  private final Batch batch;

  OneMember(BatchMember member, Batch batch) {
    this.member = member;
    this.batch = batch;
  }

  @Override
  public void started(Execution execution) {
    batch.started(execution);
  }

  @Override
  public int maxHeldRows() {
    return member.maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    member.row(row);
    return Demand.MORE;
  }

  @Override
  public void completed(long affected) {
    batch.executed();
    member.complete(affected);
  }

  @Override
  public void failed(EvitaException failure) {
    batch.executed();
    member.fail(failure);
  }
}
