// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GrpcTimeoutTest {

  @ParameterizedTest
  @CsvSource({
    "1n, 1",
    "5u, 5000",
    "7m, 7000000",
    "3S, 3000000000",
    "2M, 120000000000",
    "1H, 3600000000000",
    "99999999H, 9223372036854775807",
  })
  void nanos_ofEachUnit(String text, long nanos) {
    assertThat(GrpcTimeout.nanos(text)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "S", "5", "-1S", "1s", "1.5S", "123456789S", " 1S"})
  void nanos_malformed_isNegative(String text) {
    assertThat(GrpcTimeout.nanos(text)).isNegative();
  }
}
