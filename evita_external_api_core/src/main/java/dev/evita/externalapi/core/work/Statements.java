// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Prepared operations of one catalog epoch, by their shape: equal operations of any protocol share
 * one.
 *
 * <p>Thread-safe. Bounded; the least used are dropped. Dies with its epoch.
 */
public final class Statements {

  private final Engine engine;
  private final Catalog catalog;
  private final Cache<Operation, Prepared> prepared;

  public Statements(Engine engine, Catalog catalog, int size) {
    this.engine = engine;
    this.catalog = catalog;
    this.prepared = Caffeine.newBuilder().maximumSize(size).build();
  }

  /** The compiled operation; null if it is not there. Does not ask the engine. */
  public @Nullable Prepared ifPresent(Operation operation) {
    return prepared.getIfPresent(operation);
  }

  /**
   * The compiled operation, compiled now if it is not there yet.
   *
   * @throws EvitaException as {@link Engine#prepare}; {@code CATALOG_CHANGED} for all that fails
   *     because the engine's catalog is another by now
   */
  public Prepared prepare(Operation operation) {
    var known = prepared.getIfPresent(operation);
    if (known != null) {
      return known;
    }
    var compiled = compile(operation);
    prepared.put(operation, compiled);
    return compiled;
  }

  @SuppressWarnings("ReferenceEquality") // the engine answers the same while nothing changed
  private Prepared compile(Operation operation) {
    try {
      return engine.prepare(operation);
    } catch (EvitaException e) {
      if (engine.catalog() == catalog) {
        throw e;
      }
      throw new EvitaException(ErrorCode.CATALOG_CHANGED, e.publicMessage(), e);
    }
  }

  /**
   * Starts a transaction for several of them.
   *
   * @return as {@link Engine#begin}: the caller must commit it or roll it back
   */
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return engine.begin(options);
  }
}
