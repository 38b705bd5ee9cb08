// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive of classes that {@code ./evita} has a real JVM make of the real jars, and use. */
final class ClassArchiveIT {

  private static final String SHARED = " source: shared objects file";
  private static final String COMMANDS = "dev.evita.server.Commands";

  private static final String JAR = "evita_server/target/evita.jar";
  private static final List<String> SOURCES =
      List.of("pom.xml", "evita_server/pom.xml", "evita_server/src/main/A.java");
  private static final long PATIENCE_SECONDS = 120;

  @TempDir private static Path base;
  private static Path made;

  @TempDir private Path directory;
  private Path root;

  /** As it is after a build, and then after a first start. */
  @BeforeAll
  static void makeArchive() throws IOException {
    made = base.resolve("made");
    for (var source : SOURCES) {
      var file = made.resolve(source);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
    Files.copy(Path.of("..", "evita"), made.resolve("evita"));
    Files.createDirectories(made.resolve(JAR).getParent());
    copy(Path.of("target/lib"), made.resolve(JAR).resolveSibling("lib"));
    copy(Path.of("target/evita.jar"), made.resolve(JAR));
    touch(made.resolve(JAR));

    assertThat(loaded(made)).contains(COMMANDS + " ").doesNotContain(COMMANDS + SHARED);
    awaitArchive(made, Instant.EPOCH);
  }

  @BeforeEach
  void layOut() throws IOException {
    root = directory.resolve("a root");
    copy(made, root);
  }

  @Test
  void archive_nextStart_loadsWhatItNeedsFromIt() throws IOException {
    var init = directory.resolve("init.sql");
    Files.writeString(init, "create table pets (id integer primary key)");
    try (var evita =
        EvitaProcess.launch(
            root.resolve("evita"),
            logging(root),
            List.of("serve", "--db", "jdbc:h2:mem:x", "--init", init.toString(), "--port", "0"))) {
      assertThat(evita.awaitServing().query("{ pets { id } }"))
          .isEqualTo("{\"data\":{\"pets\":[]}}");
      assertThat(evita.terminate().err()).doesNotContain("WARN", "ERROR", "warning", "error");
    }
    for (var name :
        List.of(
            COMMANDS,
            "dev.evita.engine.jdbc.SelectSql",
            "dev.evita.externalapi.core.UndertowExchange",
            "dev.evita.externalapi.graphql.Compiler",
            "graphql.parser.Parser",
            "io.undertow.server.HttpServerExchange",
            "org.h2.command.Parser",
            "org.jooq.impl.DSL")) {
      assertThat(log(root)).content().contains(name + SHARED);
    }
  }

  @Test
  void archive_afterAnotherBuild_isMadeAnew() throws IOException {
    var before = Files.getLastModifiedTime(archive(root)).toInstant();
    touch(root.resolve(JAR));

    assertThat(loaded(root)).doesNotContain(COMMANDS + SHARED);
    awaitArchive(root, before);
    assertThat(loaded(root)).contains(COMMANDS + SHARED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut off", "no archive", "of another jar"})
  void archive_unusable_isPassedOverInSilence(String fault) throws IOException {
    var archive = archive(root);
    switch (fault) {
      case "cut off" -> Files.write(archive, Arrays.copyOf(Files.readAllBytes(archive), 1 << 20));
      case "no archive" -> Files.writeString(archive, "no archive\n");
      case "of another jar" ->
          // Older than the archive, so that only the JVM can tell.
          Files.setLastModifiedTime(driver(), FileTime.from(Instant.parse("2026-01-31T12:00:00Z")));
      default -> throw new IllegalArgumentException(fault);
    }

    assertThat(loaded(root)).contains(COMMANDS + " ").doesNotContain(COMMANDS + SHARED);
  }

  private Path driver() throws IOException {
    try (var files = Files.list(root.resolve(JAR).resolveSibling("lib"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("h2-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** The JVM's log of the classes that a start has loaded which has nothing else to say. */
  private static String loaded(Path root) throws IOException {
    try (var evita =
        EvitaProcess.launch(root.resolve("evita"), logging(root), List.of("--version"))) {
      var end = evita.end();
      assertThat(end.err()).isEmpty();
      assertThat(end.out()).startsWith("evita ").hasLineCount(1);
      assertThat(end.status()).isZero();
    }
    return Files.readString(log(root));
  }

  private static Map<String, String> logging(Path root) {
    return Map.of(
        "JAVA_HOME",
        System.getProperty("java.home"),
        "EVITA_JAVA_OPTS",
        "-Xlog:class+load:file=" + log(root));
  }

  /** Its path is a word. */
  private static Path log(Path root) {
    return root.resolveSibling("classes.log");
  }

  private static Path archive(Path root) throws IOException {
    try (var files = Files.list(root.resolve("evita_server/target"))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).findFirst().orElseThrow();
    }
  }

  private static void awaitArchive(Path root, Instant after) throws IOException {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!madeAfter(root, after)) {
      assertThat(System.nanoTime()).as("waited for an archive").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static boolean madeAfter(Path root, Instant instant) throws IOException {
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
