// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code ./evita} script, with a fake JDK and a fake Maven that print their arguments. */
@Tag("long")
final class LauncherIT {

  private static final Path SCRIPT = Path.of("..", "evita");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String JAVA =
      """
      #!/bin/sh
      dump=false
      for word; do
        case $word in
          -XX:DumpLoadedClassList=*) echo Main >"${word#*=}"; exit ;;
          -XX:SharedArchiveFile=*) archive=${word#*=} ;;
          -Xshare:dump) dump=true ;;
        esac
      done
      if $dump; then
        echo dump >>"${0%/bin/java}/dumps"
        if [ -n "$DUMP_FAILS" ]; then exit 1; fi
        while [ -e "${0%/bin/java}/waits" ]; do sleep 0.05; done
        exec >"$archive"
      fi
      echo VERSION
      printf '%s\n' "$@"
      $dump || exit 7
      """;

  @TempDir private Path directory;
  private Path root;
  private Path jar;

  private record Outcome(int status, String out, String err) {}

  @BeforeEach
  void layOut() throws IOException {
    root = Files.createDirectories(directory.resolve("a root"));
    jar = root.resolve("evita_server/target/evita.jar");
    Files.createDirectories(root.resolve("evita_server/src/main"));
    Files.createDirectories(jar.resolveSibling("lib"));
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
    built();

    assertThat(launch(Map.of(), root, "./evita").err()).isEmpty();
    assertThat(directory.resolve("mvn.log")).doesNotExist();
    awaitArchives(1);
  }

  @Test
  void archive_afterBuild_isCreatedAndUsed() throws Exception {
    var outcome = launch(Map.of(), root, "./evita");

    assertThat(archives()).hasSize(1);
    assertThat(outcome.out())
        .contains("\n-XX:SharedArchiveFile=" + archives().getFirst() + "\n-Xlog:cds=off\n-jar\n");
    assertThat(archives().getFirst())
        .content()
        .startsWith("25\n")
        .contains("--enable-native-access", "\n-XX:+AOTClassLinking\n")
        .endsWith("-cp\n" + jar.toRealPath() + "\n");
  }

  @Test
  void archive_missing_isCreatedInTheBackground() throws Exception {
    built();

    assertThat(launch(Map.of(), root, "./evita").out()).doesNotContain("-XX:SharedArchiveFile");
    awaitArchives(1);
    assertThat(launch(Map.of(), root, "./evita").out()).contains("-XX:SharedArchiveFile");
  }

  @Test
  void archive_beingCreated_doesNotBlockStarts() throws Exception {
    built();
    var waits = Files.createFile(directory.resolve("jvm/new/waits"));

    assertThat(launch(Map.of(), root, "sh", "-c", "./evita | cat").out()).startsWith("25\n");
    assertThat(archives()).isEmpty();
    Files.delete(waits);
    awaitArchives(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"evita.jar", "lib/h2.jar"})
  void archive_olderThanAJar_isRecreatedAndNotUsed(String changed) throws Exception {
    launch(Map.of(), root, "./evita");
    var before = Files.getLastModifiedTime(archives().getFirst());
    var file = Files.write(jar.resolveSibling(changed), new byte[1]);
    // Files written within one tick of the kernel's clock have the same age.
    Files.setLastModifiedTime(file, FileTime.from(before.toInstant().plusSeconds(1)));

    assertThat(launch(Map.of(), root, "./evita").out()).doesNotContain("-XX:SharedArchiveFile");
    awaitNewer(archives().getFirst(), before);
  }

  @Test
  void archive_differsByJdk() throws Exception {
    var middle = Map.of("JAVA_HOME", directory + "/jvm/middle");
    launch(Map.of(), root, "./evita");

    assertThat(launch(middle, root, "./evita").out()).doesNotContain("-XX:SharedArchiveFile");
    awaitArchives(2);
    assertThat(archives())
        .anySatisfy(archive ->
            assertThat(archive).content().startsWith("21\n").doesNotContain("AOTClassLinking"));
  }

  @Test
  void archive_creationFails_isTriedOnce() throws Exception {
    var failing = Map.of("DUMP_FAILS", "yes");

    launch(failing, root, "./evita");
    var second = launch(failing, root, "./evita");

    assertThat(second.status()).isEqualTo(7);
    assertThat(second.out()).doesNotContain("-XX:SharedArchiveFile");
    assertThat(second.err()).isEmpty();
    assertThat(archives()).singleElement().satisfies(file -> assertThat(file).isEmptyFile());
    assertThat(directory.resolve("jvm/new/dumps")).hasContent("dump");
  }

  @Test
  void archive_withAotCacheOfTheUser_isNotUsed() throws Exception {
    launch(Map.of(), root, "./evita");

    var outcome = launch(Map.of("EVITA_JAVA_OPTS", "-XX:AOTCache=x"), root, "./evita");

    assertThat(outcome.out()).contains("-XX:AOTCache=x").doesNotContain("SharedArchiveFile");
  }

  @Test
  void archive_otherArchiveByTheUser_takesPrecedence() throws Exception {
    launch(Map.of(), root, "./evita");

    var outcome = launch(Map.of("EVITA_JAVA_OPTS", "-XX:SharedArchiveFile=x"), root, "./evita");

    assertThat(outcome.out()).contains("-XX:SharedArchiveFile=x\n-jar\n");
  }

  @Test
  void launcher_sourceIsNewer_builds() throws Exception {
    built();
    Files.writeString(root.resolve("evita_server/src/main/A.java"), "");

    assertThat(launch(Map.of(), root, "./evita").err()).contains("building");
  }

  @Test
  void launcher_buildFails_isReportedInOneLine() throws Exception {
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
  void launcher_suitableJavaHome_isUsed() throws Exception {
    var environment = Map.of("JAVA_HOME", directory + "/jvm/middle");

    assertThat(launch(environment, root, "./evita").out()).startsWith("21\n");
  }

  @Test
  void launcher_javaHomeTooOld_isIgnored() throws Exception {
    var environment = Map.of("JAVA_HOME", directory + "/jvm/old");

    assertThat(launch(environment, root, "./evita").out()).startsWith("25\n");
  }

  @Test
  void launcher_javaOptions_arePassedAsWords() throws Exception {
    var outcome = launch(Map.of("EVITA_JAVA_OPTS", "-Xmx64m -Dx=y"), root, "./evita");

    assertThat(outcome.out()).contains("\n-Xmx64m\n-Dx=y\n-jar\n");
  }

  @Test
  void launcher_noJdk_isReportedWithRemedy() throws Exception {
    for (var name : List.of("new", "middle")) {
      Files.delete(directory.resolve("jvm/" + name + "/bin/java"));
    }

    var outcome = launch(Map.of(), root, "./evita", "demo");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("evita: no JDK 21 or newer found; install one");
    assertThat(outcome.err().lines()).hasSize(1);
  }

  /** Simulates a build a minute ago. */
  private void built() throws IOException {
    age(Files.createFile(jar), Duration.ofMinutes(1));
    age(jar.resolveSibling("lib"), Duration.ofMinutes(1));
    for (var source : List.of("pom.xml", "evita_server/pom.xml", "evita_server/src/main")) {
      age(root.resolve(source), Duration.ofHours(1));
    }
  }

  private static void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  private List<Path> archives() throws IOException {
    try (var files = Files.list(jar.toRealPath().getParent())) {
      return files.filter(file -> file.toString().endsWith(".jsa")).toList();
    }
  }

  private void awaitArchives(int count) throws IOException {
    await("archives").atMost(PATIENCE).until(() -> archives().size() >= count);
  }

  private static void awaitNewer(Path archive, FileTime than) throws IOException {
    await("a newer archive")
        .atMost(PATIENCE)
        .until(() -> Files.getLastModifiedTime(archive).compareTo(than) > 0);
  }

  /**
   * A fake JDK that prints its version and its arguments, each on a line, and ends with status 7;
   * it writes an archive of these to the requested path.
   */
  private void jdk(String name, int version) throws IOException {
    var home = directory.resolve("jvm").resolve(name);
    executable(home.resolve("bin/java"), JAVA.replace("VERSION", String.valueOf(version)));
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
