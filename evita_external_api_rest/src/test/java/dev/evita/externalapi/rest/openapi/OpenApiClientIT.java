// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import dev.evita.testsupport.NodeProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tools that others made understand the OpenAPI document: two validators that share no code, and a
 * generator whose client then works.
 */
@Tag("tools")
final class OpenApiClientIT {

  private static final Path DOCUMENT = Path.of("target", "openapi", "document.json");

  private static NodeProject node;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    node = NodeProject.install("openapi", "OpenAPI with validators and a generator");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void client_generated_listsInsertsUpdatesDeletes(String kind)
      throws IOException, InterruptedException {
    try (var rest = RestServer.shop(kind)) {
      keep(rest);
      validate();
      generate();
      node.run(
          "npx",
          "--no",
          "--",
          "tsc",
          "client.ts",
          "--outDir",
          "out",
          "--strict",
          "--skipLibCheck",
          "--target",
          "es2022",
          "--module",
          "commonjs",
          "--lib",
          "es2022,dom,dom.iterable");
      assertThat(node.run("node", "out/client.js", rest.uri("").toString()).lines())
          .containsExactly("list", "insert", "update", "conflict", "delete");
    }
  }

  /** Names that URLs, JSON pointers, languages and file systems do not like. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void document_ofStrangeNames_isValidAndGenerates(String kind)
      throws IOException, InterruptedException {
    try (var rest = RestServer.over(kind, StrangeNames.script(0), Limits.DEFAULT)) {
      keep(rest);
      validate();
      // The generator looks names up in JavaScript's own objects, where this one always is.
      Files.writeString(DOCUMENT, Files.readString(DOCUMENT).replace("\"__proto__\"", "\"proto\""));
      generate();
      node.run(
          "npx",
          "--no",
          "--",
          "tsc",
          "generated/index.ts",
          "--noEmit",
          "--strict",
          "--skipLibCheck",
          "--target",
          "es2022",
          "--module",
          "commonjs",
          "--lib",
          "es2022,dom,dom.iterable");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void document_ofRoutines_isValidAndGenerates(String kind)
      throws IOException, InterruptedException {
    try (var rest =
        RestServer.over(kind, RestServer.SHOP + RestServer.routines(kind), Limits.DEFAULT)) {
      keep(rest);
      validate();
      generate();
    }
  }

  @Test
  void document_of500Tables_isValid() throws IOException, InterruptedException {
    try (var rest = RestServer.over("h2", StrangeNames.script(500), Limits.DEFAULT)) {
      keep(rest);
      validate();
    }
  }

  private static void keep(RestServer rest) throws IOException {
    Files.writeString(DOCUMENT, rest.get("/openapi.json"));
  }

  private static void validate() throws IOException, InterruptedException {
    assertThat(node.run("npx", "--no", "--", "validate-api", "document.json"))
        .contains("\"valid\": true");
    node.run(
        "env",
        "REDOCLY_TELEMETRY=off",
        "REDOCLY_SUPPRESS_UPDATE_NOTICE=true",
        "npx",
        "--no",
        "--",
        "redocly",
        "lint",
        "document.json",
        "--skip-rule=info-license");
  }

  private static void generate() throws IOException, InterruptedException {
    node.run(
        "npx",
        "--no",
        "--",
        "openapi-ts",
        "-i",
        "document.json",
        "-o",
        "generated",
        "--no-log-file");
  }
}
