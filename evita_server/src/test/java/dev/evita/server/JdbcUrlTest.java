// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of a URL, in H2's many notations. */
final class JdbcUrlTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "file:", "nio:", "file:nio:", "nioMapped:", "async:"})
  void h2File_existing_isFound(String fileSystem) throws Exception {
    Files.createFile(folder.resolve("db.mv.db"));
    var url = "jdbc:h2:" + fileSystem + folder.resolve("db") + ";MODE=PostgreSQL";
    assertThat(JdbcUrl.of(url).filesToMake()).isEmpty();
    assertThatCode(() -> JdbcUrl.of(url).requireFile()).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:", "nio:", "async:"})
  void h2File_missing_isReported(String fileSystem) {
    var file = folder.resolve("none.mv.db");
    assertThatThrownBy(
            () -> JdbcUrl.of("jdbc:h2:" + fileSystem + folder.resolve("none")).requireFile())
        .hasMessageContaining("database file " + file + " does not exist;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mem:x", "tcp://localhost/x", "split:22:/x/y", "nioMemFS:x", "zip:/x!/y"})
  void h2_withoutOrdinaryFile_isNotChecked(String name) {
    assertThatCode(() -> JdbcUrl.of("jdbc:h2:" + name).requireFile()).doesNotThrowAnyException();
  }
}
