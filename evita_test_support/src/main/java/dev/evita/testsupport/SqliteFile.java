// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** SQLite databases in files, for tests; deleted when the JVM ends. Thread-safe. */
public final class SqliteFile {

  private SqliteFile() {}

  /** Returns the JDBC URL of a new database; its file is created by the first connection. */
  public static String newUrl() {
    try {
      var directory = Files.createTempDirectory("evita-sqlite");
      // Files are deleted on exit in reverse order.
      directory.toFile().deleteOnExit();
      for (var suffix : new String[] {"", "-journal", "-wal", "-shm"}) {
        directory.resolve("test.db" + suffix).toFile().deleteOnExit();
      }
      return "jdbc:sqlite:" + directory.resolve("test.db");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
