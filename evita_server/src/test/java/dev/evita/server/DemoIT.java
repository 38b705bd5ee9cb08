// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evita demo} in a process of its own. */
@Tag("long")
final class DemoIT {

  private static final Path README = Path.of("..", "README.md");

  @TempDir private Path directory;

  @Test
  void demo_interruptedThenStartedTwice_isCreatedOnceAndServed() throws Exception {
    try (var evita = demo()) {
      evita.awaitError("Making the demo: 25 %");
      evita.kill();
    }
    try (var evita = demo().awaitServing()) {
      assertThat(evita.errorText()).contains("Making the demo: 100 %");
      assertThat(counts(evita)).isTrue();
      assertThat(README).content().contains(onStandardPort(evita.curl()), Shell.run(evita.curl()));
      assertThat(evita.terminate().status()).isEqualTo(143);
    }
    try (var evita = demo().awaitServing()) {
      assertThat(evita.errorText()).doesNotContain("Making");
      assertThat(counts(evita)).isTrue();

      EvitaProcess.run("demo", "--data", directory.toString(), "--port", "0")
          .isRefusal("another evita demo is running on", "--data");
    }
  }

  @Test
  void demo_directoryIsAFile_isRejected() throws IOException {
    var file = Files.createFile(directory.resolve("file"));

    EvitaProcess.run("demo", "--data", file.toString()).isRefusal("cannot write to", "--data");
  }

  private EvitaProcess demo() {
    return EvitaProcess.start("demo", "--data", directory.toString(), "--port", "0");
  }

  private static String onStandardPort(String curl) {
    return curl.replaceFirst("127.0.0.1:\\d+", "127.0.0.1:5555");
  }

  private static boolean counts(EvitaProcess evita) {
    var answer =
        evita.query(
            "{ products_aggregate { aggregate { count } } order_lines_aggregate { aggregate { count"
                + " } } }");
    var numbers = answer.replaceAll("[^0-9]+", " ").strip().split(" ");
    assertThat(numbers).as(answer).hasSize(2);
    return Integer.parseInt(numbers[0]) >= 10_000 && Integer.parseInt(numbers[1]) >= 200_000;
  }
}
