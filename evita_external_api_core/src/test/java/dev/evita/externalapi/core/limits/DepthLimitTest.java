// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import org.junit.jupiter.api.Test;

final class DepthLimitTest {

  @Test
  void require_levelBeyondTheLimit_isRejected() {
    var limit = new DepthLimit(2);
    limit.require("filter", 2);
    assertThatThrownBy(() -> limit.require("filter", 3))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(HttpErrorCode.TOO_DEEP);
              assertThat(failure.publicMessage()).contains("filter", "max-depth", "2");
            });
  }
}
