// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.DataType.Scalar;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.json.JsonValues;
import dev.evita.externalapi.core.tls.TlsOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Validation of external input: options and JSON. */
final class ServerOptionsTest {

  private static void assertRejected(Runnable build, String message) {
    assertThatThrownBy(build::run).isInstanceOf(EvitaException.class).hasMessageContaining(message);
  }

  @Test
  void option_outOfRange_isRejectedWithTheExpectedRange() {
    assertRejected(
        () -> ServerOptions.builder().port(65_536).build(),
        "port is 65536; expected a number from 0 (any free port) to 65535");
    assertRejected(() -> ServerOptions.builder().ioThreads(-1).build(), "io-threads is -1");
    assertRejected(() -> ServerOptions.builder().workerQueue(0).build(), "worker-queue is 0");
    assertRejected(
        () -> ServerOptions.builder().drain(Duration.ofMinutes(11)).build(), "drain is PT11M");
    assertRejected(
        () -> TestServer.limits(Duration.ZERO, Duration.ofSeconds(1)), "idle-timeout is PT0S");
    assertRejected(
        () -> TestServer.limits(0, Duration.ofSeconds(1), Duration.ofSeconds(1), 1),
        "max-body-bytes is 0; expected a number of at least 1");
  }

  @Test
  void tlsOptions_toString_omitsThePassword() {
    assertThat(TlsOptions.builder().tlsPassword("secret").tlsSelfSigned(true).build().toString())
        .doesNotContain("secret");
  }

  @Test
  void json_coerced_isExactOrRejectedByName() {
    assertThat(JsonValues.coerce(Scalar.INT64, "9223372036854775807", "id"))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(JsonValues.coerce(Scalar.DECIMAL, new BigDecimal("0.10"), "price"))
        .isEqualTo(new BigDecimal("0.10"));
    assertThat(JsonValues.coerce(Scalar.INT32, new BigDecimal("5e0"), "n")).isEqualTo(5L);
    assertThat(JsonValues.coerce(Scalar.JSON, "5", "doc")).isEqualTo("\"5\"");
    assertThat(JsonValues.coerce(Scalar.JSON, Map.of("a", List.of(1, true)), "doc"))
        .isEqualTo("{\"a\":[1,true]}");
    assertThat(JsonValues.coerce(Scalar.TEXT, null, "name")).isNull();
    assertRejected(() -> JsonValues.coerce(Scalar.INT32, new BigDecimal("5.5"), "n"), "n: '5.5'");
    assertRejected(() -> JsonValues.coerce(Scalar.TEXT, 5, "name"), "name: the number 5");
    assertRejected(() -> JsonValues.coerce(Scalar.BOOLEAN, List.of(), "flag"), "flag: a list");
  }
}
