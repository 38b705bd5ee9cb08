// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls of the engine, each continued once. */
final class EngineCallTest {

  private final List<String> log = new ArrayList<>();
  private final CompletableFuture<String> outcome = new CompletableFuture<>();
  private final EngineCall<String> call =
      EngineCall.then(
          (value, problem) -> log.add(problem == null ? value : "problem " + problem.getMessage()),
          late -> log.add("late " + late));

  @Test
  void outcome_continuesTheCall() {
    call.start(() -> outcome);
    assertThat(log).isEmpty();
    outcome.complete("done");
    assertThat(log).containsExactly("done");
  }

  @Test
  void abandoned_continuesWithTheProblemAndPassesOnALateOutcome() {
    call.start(() -> outcome);
    call.abandon(new IllegalStateException("deadline"));
    assertThat(log).containsExactly("problem deadline");
    outcome.complete("transaction");
    assertThat(log).containsExactly("problem deadline", "late transaction");
  }

  @Test
  void abandoned_afterItsOutcome_hasNoEffect() {
    call.start(() -> outcome);
    outcome.complete("done");
    call.abandon(new IllegalStateException("deadline"));
    assertThat(log).containsExactly("done");
  }

  @Test
  void exception_ofTheCall_isItsOutcome() {
    call.start(() -> {
      throw new IllegalStateException("closed");
    });
    assertThat(log).containsExactly("problem closed");
  }
}
