// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class EvitaExceptionTest {

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void stackTrace_userErrors_haveNone(ErrorCode code) {
    var trace = new EvitaException(code, "message").getStackTrace();
    if (code.category() == ErrorCode.Category.USER) {
      assertThat(trace).isEmpty();
    } else {
      assertThat(trace).isNotEmpty();
    }
  }

  @Test
  void eachCategory_hasCodes() {
    assertThat(ErrorCode.values())
        .extracting(ErrorCode::category)
        .contains(ErrorCode.Category.values());
  }

  @Test
  void from_evitaExceptionAmongCauses_isReturned() {
    var ours = new EvitaException(ErrorCode.READ_ONLY, "no");
    assertThat(EvitaException.from(ours)).isSameAs(ours);
    assertThat(EvitaException.from(new CompletionException(new RuntimeException(ours))))
        .isSameAs(ours);
  }

  @Test
  void from_foreignException_hidesItsMessage() {
    var secret = new IllegalStateException("jdbc:h2:/home/secret");
    var failure = EvitaException.from(secret);
    assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(failure.publicMessage()).doesNotContain("secret");
    assertThat(failure.getCause()).isSameAs(secret);
  }
}
