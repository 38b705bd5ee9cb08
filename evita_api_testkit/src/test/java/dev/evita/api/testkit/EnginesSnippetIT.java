// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code of docs/engines.md is compiled. */
final class EnginesSnippetIT {

  private static final Pattern CODE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  private static final List<Path> SOURCES =
      List.of(
          Path.of("src/main/java/dev/evita/api/testkit/memory"),
          Path.of("src/test/java/dev/evita/api/testkit/memory"),
          Path.of("src/test/java/dev/evita/api/testkit/EnginesSnippet.java"),
          Path.of("../evita_server/src/test/java/dev/evita/server/MemoryEngineIT.java"));

  private static String sources() throws IOException {
    var text = new StringBuilder();
    for (var source : SOURCES) {
      List<Path> files = new ArrayList<>();
      try (Stream<Path> found = Files.walk(source)) {
        found.filter(Files::isRegularFile).forEach(files::add);
      }
      for (var file : files) {
        text.append(Files.readString(file)).append('\n');
      }
    }
    return withoutIndentation(text.toString());
  }

  /** Methods that follow one another on the page need not do so in the source. */
  private static List<String> shown() throws IOException {
    var parts = new ArrayList<String>();
    var matcher = CODE.matcher(Files.readString(Path.of("../docs/engines.md")));
    while (matcher.find()) {
      parts.addAll(List.of(matcher.group(1).strip().split("\n\n(?=[a-z@])", -1)));
    }
    return parts;
  }

  @Test
  void docs_containTheCompiledCode() throws IOException {
    var sources = sources();
    assertThat(shown()).hasSizeGreaterThan(15);
    assertThat(shown()).allSatisfy(part -> assertThat(sources).contains(withoutIndentation(part)));
  }

  private static String withoutIndentation(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
