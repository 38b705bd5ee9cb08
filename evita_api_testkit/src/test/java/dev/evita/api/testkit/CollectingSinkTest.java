// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.RowShape;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CollectingSinkTest {

  private static final Duration SHORT = Duration.ofSeconds(10);

  /** An execution without rows. */
  private static final class EmptyRun implements Execution {
    @Override
    public RowShape shape() {
      return RowShape.NONE;
    }

    @Override
    public int statements() {
      return 1;
    }

    @Override
    public void resume() {}

    @Override
    public void cancel(ErrorCode reason) {}
  }

  private final CollectingSink sink = new CollectingSink();

  @Test
  void correctOrder_isAccepted() {
    sink.started(new EmptyRun());
    sink.completed(3);
    assertThat(sink.await(SHORT).affected()).isEqualTo(3);
    assertThat(sink.rows()).isEmpty();
  }

  @Test
  void failureAlone_isAccepted() {
    var failure = new EvitaException(ErrorCode.READ_ONLY, "no");
    sink.failed(failure);
    assertThat(sink.await(SHORT).failure()).isSameAs(failure);
  }

  @Test
  void endWithoutStart_isAViolation() {
    sink.completed(0);
    assertThatThrownBy(() -> sink.await(SHORT)).hasMessageContaining("completed before started");
  }

  @Test
  void twoEnds_areAViolation() {
    sink.started(new EmptyRun());
    sink.completed(0);
    sink.failed(new EvitaException(ErrorCode.CANCELLED, "late"));
    assertThatThrownBy(() -> sink.await(SHORT)).hasMessageContaining("failed after the end");
  }

  @Test
  void noEnd_isDetected() {
    sink.started(new EmptyRun());
    assertThatThrownBy(() -> sink.await(Duration.ZERO)).hasMessageContaining("did not end");
  }
}
