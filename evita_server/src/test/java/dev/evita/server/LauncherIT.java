// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code ./evita} script, with a JDK and a Maven that only say how they were called. */
final class LauncherIT {

  private static final Path SCRIPT = Path.of("..", "evita");

  @TempDir private Path directory;
  private Path root;
  private Path jar;

  private record Outcome(int status, String out, String err) {}

  @BeforeEach
  void layOut() throws IOException {
    root = Files.createDirectories(directory.resolve("a root"));
    jar = root.resolve("evita_server/target/evita.jar");
    Files.createDirectories(root.resolve("evita_server/src/main"));
    Files.createDirectories(jar.getParent());
    Files.writeString(root.resolve("pom.xml"), "");
    Files.writeString(root.resolve("evita_server/pom.xml"), "");
    var text =
        Files.readString(SCRIPT).replaceAll("/usr/lib/jvm/\\*.*/opt/jdk\\*", directory + "/jvm/*");
    executable(root.resolve("evita"), text);
    jdk("old", 17);
    jdk("new", 25);
    jdk("middle", 21);
    executable(
        directory.resolve("bin/mvn"),
        "#!/bin/sh\necho \"$*\" >>'" + directory + "/mvn.log'\ntouch '" + jar + "'\n");
  }

  @Test
  void launcher_jarIsMissing_buildsThenStartsOnNewestJdk() throws Exception {
    var outcome = launch(Map.of(), root, "./evita", "serve", "--db", "a b");

    assertThat(outcome.status()).isEqualTo(7);
    assertThat(outcome.err()).isEqualTo("evita: building (the first time takes about a minute)\n");
    assertThat(outcome.out())
        .startsWith("25\n")
        .contains("--enable-native-access=ALL-UNNAMED\n", "-Devita.terminal=false\n")
        .endsWith("-jar\n" + jar.toRealPath() + "\nserve\n--db\na b\n");
    assertThat(directory.resolve("mvn.log")).content().contains("-pl evita_server -am");
  }

  @Test
  void launcher_nothingChanged_doesNotBuild() throws Exception {
    Files.createFile(jar(Instant.now().plusSeconds(60)));

    assertThat(launch(Map.of(), root, "./evita").err()).isEmpty();
    assertThat(directory.resolve("mvn.log")).doesNotExist();
  }

  @Test
  void launcher_sourceIsNewer_builds() throws Exception {
    Files.createFile(jar);
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
    Files.writeString(root.resolve("evita_server/src/main/A.java"), "");

    assertThat(launch(Map.of(), root, "./evita").err()).contains("building");
  }

  @Test
  void launcher_buildFails_saysSoInOneLine() throws Exception {
    executable(directory.resolve("bin/mvn"), "#!/bin/sh\necho broken\nexit 1\n");

    var outcome = launch(Map.of(), root, "./evita", "demo");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("evita: the build failed; see ").contains("build.log");
  }

  @Test
  void launcher_byLinkFromElsewhere_findsItsRoot() throws Exception {
    var link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a root/evita"));
    var second = Files.createSymbolicLink(directory.resolve("second"), link);

    var outcome = launch(Map.of(), Path.of("/"), second.toString(), "--version");

    assertThat(outcome.out()).endsWith(jar.toRealPath() + "\n--version\n");
  }

  @Test
  void launcher_javaHomeThatWillDo_isTaken() throws Exception {
    var environment = Map.of("JAVA_HOME", directory + "/jvm/middle");

    assertThat(launch(environment, root, "./evita").out()).startsWith("21\n");
  }

  @Test
  void launcher_javaHomeTooOld_isPassedOver() throws Exception {
    var environment = Map.of("JAVA_HOME", directory + "/jvm/old");

    assertThat(launch(environment, root, "./evita").out()).startsWith("25\n");
  }

  @Test
  void launcher_javaOptions_reachTheJvmAsWords() throws Exception {
    var outcome = launch(Map.of("EVITA_JAVA_OPTS", "-Xmx64m -Dx=y"), root, "./evita");

    assertThat(outcome.out()).contains("\n-Xmx64m\n-Dx=y\n-jar\n");
  }

  @Test
  void launcher_noJdk_isRefusedWithRemedy() throws Exception {
    for (var name : List.of("new", "middle")) {
      Files.delete(directory.resolve("jvm/" + name + "/bin/java"));
    }

    var outcome = launch(Map.of(), root, "./evita", "demo");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("evita: no JDK 21 or newer found; install one");
    assertThat(outcome.err().lines()).hasSize(1);
  }

  private Path jar(Instant modified) throws IOException {
    Files.createDirectories(jar.getParent());
    for (var source : List.of("pom.xml", "evita_server/pom.xml", "evita_server/src/main")) {
      Files.setLastModifiedTime(root.resolve(source), FileTime.from(modified.minusSeconds(3_600)));
    }
    return jar;
  }

  /** A JDK that prints its version and its arguments, each on a line, and ends with status 7. */
  private void jdk(String name, int version) throws IOException {
    var home = directory.resolve("jvm").resolve(name);
    executable(
        home.resolve("bin/java"),
        "#!/bin/sh\necho " + version + "\nprintf '%s\\n' \"$@\"\nexit 7\n");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Outcome launch(Map<String, String> environment, Path from, String... command)
      throws IOException, InterruptedException {
    var out = directory.resolve("out").toFile();
    var err = directory.resolve("err").toFile();
    var builder = new ProcessBuilder(new ArrayList<>(List.of(command))).directory(from.toFile());
    builder.redirectOutput(out).redirectError(err);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder
        .environment()
        .put("PATH", directory + "/jvm/old/bin:" + directory + "/bin:/usr/bin:/bin");
    var status = builder.start().waitFor();
    return new Outcome(
        status,
        Files.readString(out.toPath(), StandardCharsets.UTF_8),
        Files.readString(err.toPath(), StandardCharsets.UTF_8));
  }
}
