// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Working directories of projects and programs in tests. */
final class TestFiles {

  private TestFiles() {}

  /** Copies a project of the test resources, all files of its directory, into {@code target}. */
  static Path copyProject(String name) throws IOException {
    var copy = Path.of("target", name).toAbsolutePath();
    Files.createDirectories(copy);
    try (var files = Files.list(Path.of("src", "test", "resources", name))) {
      for (var file : files.toList()) {
        Files.write(copy.resolve(file.getFileName()), Files.readAllBytes(file));
      }
    }
    return copy;
  }

  /** Deletes a directory and its content; failures are only logged. */
  static void delete(Path directory) {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(TestFiles::deleteOne);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("cannot remove " + directory + ": " + e);
    }
  }

  private static void deleteOne(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      System.err.println("cannot remove " + file + ": " + e);
    }
  }
}
