// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.KeyValues;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Tables without rows, and commits triggered by tests. */
public final class WatchedEngine implements Engine {

  private final EmptyEngine empty = new EmptyEngine();
  private final List<Table> tables = new ArrayList<>();
  private volatile @Nullable CommitListener listener;
  private long sequence;

  public WatchedEngine(TableName... names) {
    for (var name : names) {
      tables.add(table(name, Table.Kind.TABLE));
    }
  }

  public WatchedEngine withView(TableName name) {
    tables.add(table(name, Table.Kind.VIEW));
    return this;
  }

  private static Table table(TableName name, Table.Kind kind) {
    return new Table(name, kind, List.of(), null, List.of(), List.of(), List.of(), null);
  }

  public synchronized void commit(TableName... touched) {
    var current = listener;
    if (current != null) {
      current.committed(++sequence, Set.of(touched));
    }
  }

  /** Publishes a commit that is known to affect only this row. */
  public synchronized void commit(TableName table, KeyValues row) {
    var current = listener;
    if (current != null) {
      current.committed(++sequence, Set.of(table), Map.of(table, Set.of(row)));
    }
  }

  public boolean watched() {
    return listener != null;
  }

  @Override
  public Registration watch(CommitListener current) {
    listener = current;
    return () -> listener = null;
  }

  @Override
  public String name() {
    return "Watched 1.0";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.WATCH);
  }

  @Override
  public Catalog catalog() {
    return new Catalog(
        1, "public", Catalog.Folding.NONE, List.of(new Schema("public", tables, List.of(), null)));
  }

  @Override
  public Catalog refresh() {
    return catalog();
  }

  @Override
  public Prepared prepare(Operation operation) {
    return empty.prepare(operation);
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return empty.begin(options);
  }

  @Override
  public void close() {}
}
