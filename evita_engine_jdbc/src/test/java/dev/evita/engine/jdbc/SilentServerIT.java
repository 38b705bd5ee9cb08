// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that accepts a connection and never responds, like a suspended process. */
@Tag("long")
@Timeout(60)
final class SilentServerIT {

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:postgresql://127.0.0.1:%d/x", "jdbc:h2:tcp://127.0.0.1:%d/x"})
  void start_timesOutAndClosesItsConnection(String url) throws IOException {
    var options =
        JdbcOptions.builder()
            .connectTimeout(Duration.ofMillis(500))
            .waitForDatabase(Duration.ZERO)
            .build();
    try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> JdbcEngine.open(url.formatted(listener.getLocalPort()), options))
          .isInstanceOfSatisfying(
              EvitaException.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE));
      try (var taken = listener.accept()) {
        taken.setSoTimeout(10_000);
        assertThat(taken.getInputStream().readAllBytes()).isNotEmpty();
      }
    }
  }

  /** The first attempt used to take the whole connect-timeout, and nothing was logged meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"jdbc:postgresql://127.0.0.1:%d/x", "jdbc:h2:tcp://127.0.0.1:%d/x"})
  void start_failsAfterItsWaitAndLogsIt(String url) throws IOException {
    // The connect timeout is longer than the timeout of the test.
    var options =
        JdbcOptions.builder()
            .connectTimeout(Duration.ofMinutes(10))
            .waitForDatabase(Duration.ofSeconds(3))
            .build();
    try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var log = new LoggedWarnings(Level.INFO)) {
      assertThatThrownBy(() -> JdbcEngine.open(url.formatted(listener.getLocalPort()), options))
          .isInstanceOf(EvitaException.class);
      assertThat(log.messages())
          .filteredOn(message -> message.startsWith("Waiting up to 3 s for the database"))
          .hasSize(1);
    }
  }
}
