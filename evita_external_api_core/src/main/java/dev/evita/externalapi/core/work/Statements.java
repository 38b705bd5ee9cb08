// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.carpool.Carpool;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import dev.evita.externalapi.core.carpool.SetBasedQuery;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the prepared operations of one catalog epoch, by shape: equal operations of all
 * protocols share one.
 *
 * <p>Thread-safe. Bounded; the least used are evicted. Discarded with its epoch.
 */
public final class Statements {

  private final Engine engine;
  private final Catalog catalog;
  private final Carpool.@Nullable Epoch carpool;
  private final @Nullable GroupCommit groups;
  private final Cache<Operation, Prepared> prepared;

  /** Creates a cache of operations whose executions do not share statements. */
  public Statements(Engine engine, Catalog catalog, int size) {
    this(engine, catalog, size, null);
  }

  /** Creates a cache of operations whose executions share statements by the carpool. */
  public Statements(Engine engine, Catalog catalog, int size, @Nullable Carpool carpool) {
    this.engine = engine;
    this.catalog = catalog;
    this.carpool = carpool == null ? null : carpool.epoch(engine, catalog, size);
    this.groups = groups(engine, carpool);
    this.prepared = Caffeine.newBuilder().maximumSize(size).build();
  }

  /** Commits are shared where transactions that write wait for one another anyway. */
  private static @Nullable GroupCommit groups(Engine engine, @Nullable Carpool carpool) {
    if (carpool == null || !engine.capabilities().contains(Capability.SAVEPOINTS)) {
      return null;
    }
    var shares =
        switch (carpool.mode()) {
          case OFF -> false;
          case AUTO -> engine.writesOneAtATime();
          case ON -> true;
        };
    return shares ? new GroupCommit(() -> engine.begin(TransactionOptions.DEFAULT), carpool) : null;
  }

  /**
   * Begins a transaction with the default options, which may share its commit with others; its
   * statements must be inserts, updates, deletes and selects that end by themselves.
   *
   * @return see {@link #begin}; a {@link GroupCommit.Member} if it does
   */
  public CompletionStage<Transaction> beginShared() {
    return groups == null ? begin(TransactionOptions.DEFAULT) : groups.begin();
  }

  /** The prepared operation; null if it is not cached. Does not call the engine. */
  public @Nullable Prepared ifPresent(Operation operation) {
    return prepared.getIfPresent(operation);
  }

  /**
   * Returns the prepared operation, and prepares it on a cache miss.
   *
   * @throws EvitaException see {@link Engine#prepare}; {@code CATALOG_CHANGED} for any failure
   *     caused by a change of the engine's catalog
   */
  public Prepared prepare(Operation operation) {
    var known = prepared.getIfPresent(operation);
    if (known != null) {
      return known;
    }
    var compiled = compile(operation);
    var other = prepared.asMap().putIfAbsent(operation, compiled);
    return other == null ? compiled : other;
  }

  /**
   * Returns a set-based query for the arguments of one member; concurrent executions share
   * statements.
   *
   * @param own the mode of this query; null for that of the server
   */
  public Prepared share(SetBasedQuery query, @Nullable CarpoolMode own) {
    var epoch = carpool;
    return epoch == null ? query.single() : epoch.share(query, own);
  }

  @SuppressWarnings(
      "ReferenceEquality") // the engine returns the same instance while nothing changed
  private Prepared compile(Operation operation) {
    try {
      Capability.require(operation, engine);
      var compiled = engine.prepare(operation);
      return carpool == null ? compiled : carpool.share(compiled);
    } catch (EvitaException e) {
      if (engine.catalog() == catalog) {
        throw e;
      }
      throw new EvitaException(ErrorCode.CATALOG_CHANGED, e.publicMessage(), e);
    }
  }

  /**
   * Begins a transaction.
   *
   * @return see {@link Engine#begin}: the caller must commit it or roll it back
   */
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    try {
      Capability.require(options, engine);
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
    return engine.begin(options);
  }
}
