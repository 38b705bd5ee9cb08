// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The class archive that {@code ./evita} lets a real JVM create from the real jars, and uses. */
@Tag("long")
final class ClassArchiveIT {

  private static final String SHARED = " source: shared objects file";
  private static final String COMMANDS = "dev.evita.server.Commands";

  private static final String JAR = "evita_server/target/evita.jar";
  private static final List<String> SOURCES =
      List.of("pom.xml", "evita_server/pom.xml", "evita_server/src/main/A.java");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path base;

  /** Its path has no space: with one, JDK 21 archives none of a program's classes. */
  private static Path root;

  private static Path made;

  @TempDir private Path directory;

  /** The state after a build, and after a first start. */
  @BeforeAll
  static void makeArchive() throws IOException {
    root = base.resolve("root");
    made = base.resolve("made");
    for (var source : SOURCES) {
      var file = root.resolve(source);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
    Files.copy(Path.of("..", "evita"), root.resolve("evita"));
    Files.createDirectories(root.resolve(JAR).getParent());
    copy(Path.of("target/lib"), root.resolve(JAR).resolveSibling("lib"));
    copy(Path.of("target/evita.jar"), root.resolve(JAR));
    touch(root.resolve(JAR));

    assertThat(loaded()).contains(COMMANDS + " ").doesNotContain(COMMANDS + SHARED);
    awaitArchive(Instant.EPOCH);
    Files.move(root, made);
  }

  @BeforeEach
  void layOut() throws IOException {
    copy(made, root);
  }

  @AfterEach
  void clear() throws IOException {
    try (var files = Files.walk(root)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void archive_nextStart_isUsed() throws IOException {
    var init = directory.resolve("init.sql");
    Files.writeString(init, "create table pets (id integer primary key)");
    try (var evita =
        EvitaProcess.launch(
            root.resolve("evita"),
            logging(),
            List.of("serve", "--db", "jdbc:h2:mem:x", "--init", init.toString(), "--port", "0"))) {
      assertThat(evita.awaitServing().query("{ pets { id } }"))
          .isEqualTo("{\"data\":{\"pets\":[]}}");
      assertThat(evita.terminate().err()).doesNotContain("WARN", "ERROR", "warning", "error");
    }
    for (var name :
        List.of(
            COMMANDS,
            "dev.evita.engine.jdbc.sql.SelectSql",
            "dev.evita.externalapi.core.exchange.HttpExchange", // of both versions of HTTP
            "dev.evita.externalapi.graphql.queries.OperationCompiler",
            "graphql.parser.Parser",
            "io.undertow.server.HttpServerExchange",
            "org.h2.command.Parser",
            "org.jooq.impl.DSL")) {
      assertThat(log()).content().contains(name + SHARED);
    }
  }

  @Test
  void archive_afterAnotherBuild_isRecreated() throws IOException {
    var before = Files.getLastModifiedTime(archive()).toInstant();
    touch(root.resolve(JAR));

    assertThat(loaded()).doesNotContain(COMMANDS + SHARED);
    awaitArchive(before);
    assertThat(loaded()).contains(COMMANDS + SHARED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut off", "no archive", "of another jar"})
  void archive_unusable_isIgnoredSilently(String fault) throws IOException {
    var archive = archive();
    switch (fault) {
      case "cut off" -> Files.write(archive, Arrays.copyOf(Files.readAllBytes(archive), 1 << 20));
      case "no archive" -> Files.writeString(archive, "no archive\n");
      case "of another jar" ->
          // Older than the archive, so that only the JVM can detect it.
          Files.setLastModifiedTime(driver(), FileTime.from(Instant.parse("2026-01-31T12:00:00Z")));
      default -> throw new IllegalArgumentException(fault);
    }

    assertThat(loaded()).contains(COMMANDS + " ").doesNotContain(COMMANDS + SHARED);
  }

  private Path driver() throws IOException {
    try (var files = Files.list(root.resolve(JAR).resolveSibling("lib"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("h2-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** The JVM's log of the classes loaded by a start without other output. */
  private static String loaded() throws IOException {
    try (var evita = EvitaProcess.launch(root.resolve("evita"), logging(), List.of("--version"))) {
      var end = evita.end();
      assertThat(end.err()).isEmpty();
      assertThat(end.out()).startsWith("evita ").hasLineCount(1);
      assertThat(end.status()).isZero();
    }
    return Files.readString(log());
  }

  private static Map<String, String> logging() {
    return Map.of(
        "JAVA_HOME",
        System.getProperty("java.home"),
        "EVITA_JAVA_OPTS",
        "-Xlog:class+load:file=" + log());
  }

  /** Its path contains no spaces. */
  private static Path log() {
    return root.resolveSibling("classes.log");
  }

  private static Path archive() throws IOException {
    try (var files = Files.list(root.resolve("evita_server/target"))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).findFirst().orElseThrow();
    }
  }

  private static void awaitArchive(Instant after) throws IOException {
    await("an archive").atMost(PATIENCE).until(() -> madeAfter(after));
  }

  private static boolean madeAfter(Instant instant) throws IOException {
    try (var files = Files.list(root.resolve(JAR).getParent())) {
      for (var file : files.filter(file -> file.toString().endsWith(".jsa")).toList()) {
        if (Files.getLastModifiedTime(file).toInstant().isAfter(instant)) {
          return true;
        }
      }
      return false;
    }
  }

  private static void touch(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
  }

  /** A file or a directory, with its time. */
  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    if (Files.isDirectory(from)) {
      try (var files = Files.list(from)) {
        for (var file : files.toList()) {
          copy(file, to.resolve(file.getFileName()));
        }
      }
      Files.setLastModifiedTime(to, Files.getLastModifiedTime(from));
    }
  }
}
