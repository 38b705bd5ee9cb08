// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Arguments;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * A prepared operation whose concurrent executions share statements.
 *
 * <p>It is bounded while it is busy: then an execution only joins a queue, for which an I/O thread
 * suffices. An execution in a transaction is not shared.
 */
final class SharedPrepared implements Prepared {

  private final Prepared prepared;
  private final BatchedStatement batched;
  private final BatchQueue queue;

  SharedPrepared(Prepared prepared, BatchedStatement batched, BatchQueue queue) {
    this.prepared = prepared;
    this.batched = batched;
    this.queue = queue;
  }

  @Override
  public Operation operation() {
    return prepared.operation();
  }

  @Override
  public RowShape shape() {
    return prepared.shape();
  }

  @Override
  public boolean bounded(Arguments arguments) {
    return prepared.bounded(arguments)
        || (queue.busy() && queue.trial().shares() && batched.accepts(arguments));
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    var trial = queue.trial();
    if (transaction != null
        || !batched.accepts(arguments)
        || (!trial.always() && prepared.bounded(arguments))) {
      prepared.run(arguments, transaction, sink);
      return;
    }
    var observed = trial.observe(sink, queue.size());
    // The way may have changed since bounded sent the execution to an I/O thread.
    if (trial.shares() || !queue.mayBlock()) {
      queue.add(prepared, arguments, observed);
    } else {
      prepared.run(arguments, null, observed);
    }
  }
}
