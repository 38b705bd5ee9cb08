// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class EnginesSnippetIT {

  private static final Path SOURCE =
      Path.of("src/test/java/dev/evita/api/testkit/EnginesSnippet.java");

  @Test
  void docs_containTheCompiledCode() throws IOException {
    var docs = Files.readString(Path.of("../docs/engines.md"));
    var shown = docs.substring(docs.indexOf("```java\n") + 8);
    var code = shown.substring(0, shown.indexOf("```")).strip();
    assertThat(withoutIndentation(Files.readString(SOURCE)))
        .contains(withoutIndentation(code).replaceFirst("final class", "static final class"));
  }

  private static String withoutIndentation(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
