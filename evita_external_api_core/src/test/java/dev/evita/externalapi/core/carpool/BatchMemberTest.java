// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A member of a batch ends alone, and once. */
final class BatchMemberTest {

  private final List<String> calls = new ArrayList<>();

  /** A sink that cannot say its limit after its end, as a query that has no step left. */
  private final RowSink sink =
      new RowSink() {
        @Override
        public int maxHeldRows() {
          if (!calls.isEmpty()) {
            throw new IllegalStateException("it has ended");
          }
          return 7;
        }

        @Override
        public Demand row(Row row) {
          return Demand.MORE;
        }

        @Override
        public void completed(long affected) {
          calls.add("completed");
        }

        @Override
        public void failed(EvitaException failure) {
          calls.add(failure.code().name());
        }
      };

  private static final Prepared PREPARED =
      new Prepared() {
        @Override
        public Operation operation() {
          return Script.of("");
        }

        @Override
        public RowShape shape() {
          return RowShape.NONE;
        }

        @Override
        public boolean bounded(Arguments arguments) {
          return false;
        }

        @Override
        public void run(Arguments arguments, @Nullable Transaction transaction, RowSink to) {}
      };

  @Test
  void maxHeldRows_ofMemberThatHasLeft_isStillKnown() {
    var member = new BatchMember(PREPARED, Arguments.NONE, sink, "", null);
    member.cancel(ErrorCode.CLIENT_GONE);
    assertThat(member.maxHeldRows()).isEqualTo(7);
  }

  @Test
  void memberThatHasLeft_ignoresItsOutcome() {
    var member = new BatchMember(PREPARED, Arguments.NONE, sink, "", null);
    member.cancel(ErrorCode.DEADLINE_EXCEEDED);
    member.complete(1);
    member.fail(new EvitaException(ErrorCode.INTERNAL, "late"));
    member.cancel(ErrorCode.CLIENT_GONE);
    assertThat(calls).containsExactly("DEADLINE_EXCEEDED");
    assertThat(member.ended()).isTrue();
  }

  @Test
  void conflictKeys_ofEqualValues_areEqual() {
    assertThat(ConflictKeys.of(new BigDecimal("1.00"))).isEqualTo(ConflictKeys.of(BigDecimal.ONE));
    assertThat(ConflictKeys.of(new byte[] {1})).isEqualTo(ConflictKeys.of(new byte[] {1}));
    assertThat(ConflictKeys.of(-0.0)).isEqualTo(ConflictKeys.of(0.0));
    assertThat(ConflictKeys.of("Kéy ")).isEqualTo(ConflictKeys.of("KEY"));
    assertThat(ConflictKeys.of("key1")).isNotEqualTo(ConflictKeys.of("key2"));
    assertThat(ConflictKeys.of(null)).isNull();
  }
}
