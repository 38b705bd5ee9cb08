// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Schemas published by other projects, in jars that are dependencies only for these scripts. */
enum PublishedSchema {
  /** Keys of up to four columns. */
  QUARTZ,
  SPRING_BATCH,
  /** Tables that refer to themselves, and to others more than once. */
  CAMUNDA;

  /**
   * The whole script, as one file in the directory.
   *
   * @param dialect the database's name as the project spells it
   */
  Path script(String dialect, Path directory) throws IOException {
    var script = new StringBuilder();
    for (var part : parts(dialect)) {
      try (var in = PublishedSchema.class.getResourceAsStream(part)) {
        var bytes = Objects.requireNonNull(in, part).readAllBytes();
        script.append(new String(bytes, StandardCharsets.UTF_8)).append('\n');
      }
    }
    return Files.writeString(directory.resolve("published.sql"), script);
  }

  private List<String> parts(String dialect) {
    return switch (this) {
      case QUARTZ -> List.of("/org/quartz/impl/jdbcjobstore/tables_" + dialect + ".sql");
      case SPRING_BATCH -> List.of("/org/springframework/batch/core/schema-" + dialect + ".sql");
      case CAMUNDA ->
          List.of(
                  "engine",
                  "identity",
                  "history",
                  "case.engine",
                  "case.history",
                  "decision.engine",
                  "decision.history")
              .stream()
              .map(part -> camunda(dialect, part))
              .toList();
    };
  }

  private static String camunda(String dialect, String part) {
    return "/org/camunda/bpm/engine/db/create/activiti.%s.create.%s.sql".formatted(dialect, part);
  }
}
