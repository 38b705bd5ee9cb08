// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.TlsOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * The server audits of the npm package {@code graphql-http}, MUSTs and SHOULDs, against the real
 * server. The exact packages stand in {@code package-lock.json} and are installed into {@code
 * target}.
 */
final class AuditIT {

  private static final Path SOURCES = Path.of("src", "test", "resources", "graphql-http");
  private static final Path INSTALLED = Path.of("target", "graphql-http");
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "audit.mjs");

  /** How many audits the package has: fewer would mean that not all were run. */
  private static final int AUDITS = 61;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    for (var tool : List.of("node", "npm")) {
      if (!onPath(tool)) {
        throw missing(tool + " is not on the PATH");
      }
    }
    Files.createDirectories(INSTALLED);
    for (var file : FILES) {
      Files.write(INSTALLED.resolve(file), Files.readAllBytes(SOURCES.resolve(file)));
    }
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  }

  private static boolean onPath(String tool) {
    for (var directory : System.getenv("PATH").split(java.io.File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(directory, tool))) {
        return true;
      }
    }
    return false;
  }

  private static TestAbortedException missing(String reason) {
    var line = "!".repeat(78);
    System.err.println(line);
    System.err.println("!! NOT TESTED: the audits of GraphQL over HTTP.");
    System.err.println("!! " + reason);
    System.err.println("!! Remedy: apt-get install nodejs npm");
    System.err.println(line);
    return new TestAbortedException(reason);
  }

  @Test
  void audits_overHttp_pass() throws IOException, InterruptedException {
    try (var server = server(TlsOptions.NONE)) {
      requireAllPass(run("node", "audit.mjs", server.uri() + "/graphql"));
    }
  }

  @Test
  void audits_overHttp2WithTls_pass() throws IOException, InterruptedException {
    try (var server = server(new TlsOptions(null, null, null, null, true))) {
      requireAllPass(run("node", "audit.mjs", server.uri() + "/graphql", "h2"));
    }
  }

  private static ExternalApiServer server(TlsOptions tls) {
    return ExternalApiServer.over(ShopData.engine())
        .options(ServerOptions.builder().tls(tls).build())
        .withoutDiscovery()
        .provider(new GraphQlProvider())
        .start();
  }

  private static void requireAllPass(String output) {
    var results = output.lines().toList();
    assertThat(results).hasSize(AUDITS);
    assertThat(results)
        .allSatisfy(line -> {
          var result = (Map<?, ?>) OracleIT.parse(line);
          assertThat(result.get("status")).as(line).isEqualTo("ok");
        });
  }

  /** What it wrote to standard output; the rest goes to a file beside it. */
  private static String run(String... command) throws IOException, InterruptedException {
    var complaints = INSTALLED.resolve(command[0] + ".err");
    var process =
        new ProcessBuilder(command)
            .directory(INSTALLED.toFile())
            .redirectError(complaints.toFile())
            .start();
    try {
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(complaints)).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
