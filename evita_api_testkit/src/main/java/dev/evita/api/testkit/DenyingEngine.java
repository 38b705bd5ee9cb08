// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.api.InsertRows;
import dev.evita.api.Operation;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An engine from which one capability is taken: to test the test kit itself, and APIs over an
 * engine that lacks something. Closes the wrapped engine.
 */
public final class DenyingEngine extends ForwardingEngine {

  private final Engine engine;
  private final @Nullable Capability lacking;

  /**
   * Wraps an engine.
   *
   * @param lacking null to take nothing
   */
  public DenyingEngine(Engine engine, @Nullable Capability lacking) {
    super(engine);
    this.engine = engine;
    this.lacking = lacking;
  }

  /** The engine with all of its capabilities. */
  public Engine engine() {
    return engine;
  }

  @Override
  public Set<Capability> capabilities() {
    var capabilities = EnumSet.copyOf(engine.capabilities());
    if (lacking != null) {
      capabilities.remove(lacking);
    }
    return capabilities;
  }

  @Override
  public Prepared prepare(Operation operation) {
    Capability.require(operation, this);
    return new DenyingPrepared(engine.prepare(operation));
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    try {
      Capability.require(options, this);
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
    return engine
        .begin(options)
        .thenApply(begun -> lacking == Capability.SAVEPOINTS ? withoutSavepoints(begun) : begun);
  }

  private Transaction withoutSavepoints(Transaction transaction) {
    return new WithoutSavepoints(transaction, Capability.SAVEPOINTS.unsupportedBy(this));
  }

  @Override
  public Registration watch(CommitListener listener) {
    if (lacking == Capability.WATCH) {
      throw Capability.WATCH.unsupportedBy(this);
    }
    return engine.watch(listener);
  }

  /** Its savepoints fail, unless it has ended. */
  private record WithoutSavepoints(Transaction transaction, EvitaException refusal)
      implements Transaction {

    @Override
    public TransactionOptions options() {
      return transaction.options();
    }

    @Override
    public CompletionStage<Void> commit() {
      return transaction.commit();
    }

    @Override
    public CompletionStage<Void> rollback() {
      return transaction.rollback();
    }

    @Override
    public CompletionStage<Savepoint> savepoint() {
      return transaction
          .savepoint()
          .thenCompose(savepoint -> CompletableFuture.failedFuture(refusal));
    }
  }

  private final class DenyingPrepared extends ForwardingEngine.ForwardingPrepared {

    DenyingPrepared(Prepared prepared) {
      super(prepared);
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return lacking != Capability.IN_PROCESS && super.bounded(arguments);
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      if (lacking == Capability.DEFAULT_IN_ROWS && hasDefaults(arguments)) {
        sink.failed(Capability.DEFAULT_IN_ROWS.unsupportedBy(DenyingEngine.this));
        return;
      }
      var wrapped =
          transaction instanceof WithoutSavepoints(var inner, var refusal) ? inner : transaction;
      super.run(arguments, wrapped, sink);
    }

    private static boolean hasDefaults(Arguments arguments) {
      for (int i = 0; i < arguments.size(); i++) {
        if (arguments.get(new Parameter(i)) instanceof InsertRows(var rows)
            && rows.stream().anyMatch(row -> Arrays.asList(row).contains(InsertRows.DEFAULT))) {
          return true;
        }
      }
      return false;
    }
  }
}
