// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The owner of work that a test controls. */
final class TestOwner implements Work.Owner {

  final Work work;

  /** The outcome: empty on success, else the code of its failure. */
  final CompletableFuture<Optional<EvitaException.Code>> outcome = new CompletableFuture<>();

  TestOwner(Dispatcher dispatcher) {
    work = new Work(dispatcher, this, null, dispatcher.deadline(dispatcher.now()));
  }

  /** Completes the work. */
  void complete() {
    outcome.complete(Optional.empty());
    work.end();
  }

  @Override
  public void fail(Throwable failure) {
    outcome.complete(Optional.of(EvitaException.from(failure).code()));
    work.end();
  }

  @Override
  public void timeOut() {
    fail(Work.failure(ErrorCode.CANCELLED));
  }

  @Override
  public boolean committed() {
    return false;
  }

  @Override
  public boolean again() {
    return false;
  }
}
