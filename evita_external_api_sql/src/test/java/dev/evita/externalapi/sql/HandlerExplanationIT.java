// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.JdbcEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code evita explain} shows. */
final class HandlerExplanationIT {

  @TempDir private Path directory;

  private List<String> handlers(String target) throws IOException {
    Files.writeString(
        directory.resolve("a.sql"), "-- route: GET /a/:x\nselect x as body from request");
    Files.writeString(directory.resolve("before.sql"), "-- stage: before\nselect '{}' as headers");
    Files.writeString(
        directory.resolve("after.sql"), "-- stage: after\n-- priority: 9\nselect '{}' as headers");
    var options = SqlOptions.builder().handlers(directory).build();
    try (var engine = JdbcEngine.open("jdbc:h2:mem:" + UUID.randomUUID())) {
      engine.refresh();
      return HandlerExplanation.of(engine, options, "GET", target).stream()
          .map(HandlerExplanation::handler)
          .toList();
    }
  }

  @Test
  void handlers_areInTheOrderInWhichTheyRun() throws IOException {
    assertThat(handlers("/a/b%2Fc")).containsExactly("before.sql", "a.sql", "after.sql");
  }

  @Test
  void path_withAnInvalidEscape_isRefused() {
    assertThatThrownBy(() -> handlers("/a/%zz"))
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining("invalid escape");
  }
}
