// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import dev.evita.api.Arguments;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.carpool.SetBasedQuery;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Dispatcher;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A set-based query in a transaction, for all members of a batch: one commit, after which their
 * rows are passed on. It is work of its own, whose deadline is {@code request-timeout} from its
 * begin; conflicts are retried like those of a request.
 */
public final class BatchTransaction implements SetBasedQuery.Transactions {

  private final Dispatcher dispatcher;
  private final Statements statements;

  public BatchTransaction(Dispatcher dispatcher, Statements statements) {
    this.dispatcher = dispatcher;
    this.statements = statements;
  }

  @Override
  public void run(Prepared query, Arguments arguments, SetBasedQuery.Committing sink) {
    new Run(query, arguments, sink).begin();
  }

  private final class Run
      implements Work.Owner, TransactionExecution.Task, TransactionExecution.Statement {

    private final Prepared query;
    private final Arguments arguments;
    private final SetBasedQuery.Committing sink;
    private final Work work;
    private final TransactionExecution execution;
    private final List<HeldRow> rows = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private boolean begun;
    private boolean keeps;

    Run(Prepared query, Arguments arguments, SetBasedQuery.Committing sink) {
      this.query = query;
      this.arguments = arguments;
      this.sink = sink;
      this.work = new Work(dispatcher, this, null, dispatcher.deadline(dispatcher.now()));
      this.execution =
          new TransactionExecution(work, statements, Quota.held(work.limits(), 0), this);
    }

    void begin() {
      dispatcher.watch(work);
      sink.started(execution);
      execution.run();
    }

    @Override
    public Prepared prepared() {
      return query;
    }

    @Override
    public Arguments arguments() {
      return arguments;
    }

    @Override
    public void row(Row row, Quota held) {
      held.count();
      rows.add(HeldRow.copy(row, query.shape()));
    }

    @Override
    public void completed(long affected) {}

    @Override
    public TransactionExecution.@Nullable Statement next() {
      var first = !begun;
      begun = true;
      return first ? this : null;
    }

    @Override
    public void finish() {
      keeps = sink.keeps(rows);
    }

    @Override
    public boolean keeps() {
      return keeps;
    }

    @Override
    public boolean restart() {
      begun = false;
      rows.clear();
      return true;
    }

    @Override
    public void done() {
      if (over.compareAndSet(false, true)) {
        work.end();
        rows.forEach(sink::row);
        sink.completed(rows.size());
      }
    }

    @Override
    public void failed(Throwable problem) {
      fail(problem);
    }

    @Override
    public void fail(Throwable failure) {
      if (over.compareAndSet(false, true)) {
        work.end();
        sink.failed(EvitaException.from(failure));
      }
    }

    /** The execution was cancelled instead. */
    @Override
    public void timeOut() {}

    @Override
    public boolean committed() {
      return true; // the members are restarted by themselves
    }

    @Override
    public boolean again() {
      return false;
    }
  }
}
