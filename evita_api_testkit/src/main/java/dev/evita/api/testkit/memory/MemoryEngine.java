// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * An engine whose tables are in the memory of this process: the tutorial of docs/engines.md, and a
 * stand-in for a database in tests.
 *
 * <p>All rows are one immutable {@link MemoryState}. A statement reads the latest one, a
 * transaction the one that it began with; a write replaces it. Of two transactions that wrote, the
 * second one to commit fails with {@code SERIALIZATION_FAILURE}.
 *
 * <p>Thread-safe. Nothing outlives {@link #close}.
 */
public final class MemoryEngine implements Engine {

  /** The name of the only schema. */
  public static final String SCHEMA = "main";

  private static final Set<Capability> CAPABILITIES =
      Set.copyOf(
          EnumSet.of(
              Capability.IN_PROCESS,
              Capability.WATCH,
              Capability.LIKE,
              Capability.COLUMN_COMPARISONS,
              Capability.OFFSET,
              Capability.INSERT,
              Capability.UPDATE,
              Capability.INCREMENT,
              Capability.DELETE,
              Capability.RETURNING,
              Capability.DEFAULT_IN_ROWS,
              Capability.TRANSACTIONS,
              Capability.SAVEPOINTS,
              Capability.READ_ONLY_TRANSACTIONS,
              Capability.REPEATABLE_READ,
              Capability.SERIALIZABLE));

  private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();
  private final Set<MemoryExecution> executions = ConcurrentHashMap.newKeySet();
  private final Object lock = new Object();
  private volatile Catalog catalog = catalog(1, List.of());
  private volatile MemoryState state = new MemoryState(Map.of());
  private volatile boolean closed;
  private long commits;

  /** Creates an engine without tables. */
  public MemoryEngine() {}

  private static Catalog catalog(long epoch, List<Table> tables) {
    var schema = new Schema(SCHEMA, tables, List.of(), null);
    return new Catalog(epoch, SCHEMA, Catalog.Folding.NONE, List.of(schema));
  }

  /**
   * Creates a table of the schema {@link #SCHEMA}.
   *
   * @param table has a primary key; a default is a text that {@link dev.evita.api.Values#parse}
   *     reads. Unique and foreign keys are not enforced
   * @throws EvitaException {@code INVALID_OPERATION} if there is one of this name, or no key
   */
  public void createTable(Table table) {
    synchronized (lock) {
      if (catalog.table(table.name()).isPresent() || table.primaryKey() == null) {
        throw new EvitaException(
            ErrorCode.INVALID_OPERATION, "Table " + table.name() + " exists, or has no key");
      }
      var tables = new ArrayList<>(catalog.tables());
      tables.add(table);
      state = state.with(table.name(), Map.of());
      catalog = catalog(catalog.epoch() + 1, tables);
    }
  }

  /** Drops a table with its rows; no effect if there is none. */
  public void dropTable(String name) {
    synchronized (lock) {
      var dropped = new TableName(SCHEMA, name);
      var tables = new ArrayList<>(catalog.tables());
      tables.removeIf(table -> table.name().equals(dropped));
      state = state.without(dropped);
      catalog = catalog(catalog.epoch() + 1, tables);
    }
  }

  @Override
  public String name() {
    return "MemoryEngine";
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Catalog refresh() {
    return catalog;
  }

  @Override
  public Prepared prepare(Operation operation) {
    Capability.require(operation, this);
    return MemoryStatement.of(this, operation);
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    try {
      Capability.require(options, this);
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
    return CompletableFuture.completedFuture(new MemoryTransaction(this, options, state));
  }

  @Override
  public Registration watch(CommitListener listener) {
    if (closed) {
      throw new EvitaException(ErrorCode.SHUTTING_DOWN, "The engine is closed");
    }
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public void close() {
    closed = true;
    executions.forEach(execution -> execution.cancel(ErrorCode.SHUTTING_DOWN));
  }

  /** The latest committed rows. */
  MemoryState state() {
    return state;
  }

  /** Begins an execution, which {@link #close} cancels until it is removed. */
  void started(MemoryExecution execution) {
    executions.add(execution);
    if (closed) {
      execution.cancel(ErrorCode.SHUTTING_DOWN);
    }
  }

  void ended(MemoryExecution execution) {
    executions.remove(execution);
  }

  /** Commits the write of a single statement. */
  void write(UnaryOperator<MemoryState> change) {
    synchronized (lock) {
      publish(change.apply(state));
    }
  }

  /**
   * Commits a transaction.
   *
   * @param base the rows that it began with
   * @throws EvitaException {@code SERIALIZATION_FAILURE} if another has committed since then
   */
  @SuppressWarnings("ReferenceEquality") // each commit makes another instance
  void commit(MemoryState base, MemoryState changed) {
    synchronized (lock) {
      if (base == changed) {
        return;
      }
      if (base != state) {
        throw new EvitaException(
            ErrorCode.SERIALIZATION_FAILURE, "Another transaction has committed; try again");
      }
      publish(changed);
    }
  }

  private void publish(MemoryState changed) {
    var tables = state.changed(changed);
    state = changed;
    if (!tables.isEmpty()) {
      commits++;
      listeners.forEach(listener -> listener.committed(commits, tables));
    }
  }
}
