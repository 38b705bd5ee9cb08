// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A database without tables, for servers whose APIs do not use the engine. */
public final class EmptyEngine implements Engine {

  private volatile Catalog catalog = new Catalog(1, "public", Catalog.Folding.NONE, List.of());
  private volatile boolean reachable = true;

  /** Simulates a change of the schema, or a reconnect of the database. */
  void changed() {
    catalog = new Catalog(catalog.epoch() + 1, "public", Catalog.Folding.NONE, List.of());
  }

  void reachable(boolean answers) {
    reachable = answers;
  }

  @Override
  public String name() {
    return "Empty 1.0";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.IN_PROCESS);
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Catalog refresh() {
    if (!reachable) {
      throw new EvitaException(ErrorCode.DATABASE_UNREACHABLE, "The database does not respond");
    }
    return catalog;
  }

  @Override
  public Health health() {
    return reachable
        ? Health.UP
        : new Health.Down(
            new EvitaException(ErrorCode.DATABASE_UNREACHABLE, "The database does not respond"));
  }

  @Override
  public Prepared prepare(Operation operation) {
    throw new EvitaException(ErrorCode.UNKNOWN_TABLE, "No tables exist");
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return CompletableFuture.failedFuture(
        new EvitaException(ErrorCode.UNSUPPORTED_OPERATION, "No tables exist"));
  }

  @Override
  public void close() {}
}
