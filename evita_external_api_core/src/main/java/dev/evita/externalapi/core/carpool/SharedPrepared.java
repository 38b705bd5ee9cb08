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
  private final CarpoolTrial trial;

  SharedPrepared(
      Prepared prepared, BatchedStatement batched, BatchQueue queue, CarpoolTrial trial) {
    this.prepared = prepared;
    this.batched = batched;
    this.queue = queue;
    this.trial = trial;
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
        || (queue.busy() && trial.shares() && batched.accepts(arguments));
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    if (transaction != null
        || !batched.accepts(arguments)
        || (!trial.always() && prepared.bounded(arguments))) {
      prepared.run(arguments, transaction, sink);
      return;
    }
    var observed = trial.observe(sink, queue.size());
    if (trial.shares()) {
      queue.add(new BatchMember(prepared, arguments, observed));
    } else {
      prepared.run(arguments, null, observed);
    }
  }
}
