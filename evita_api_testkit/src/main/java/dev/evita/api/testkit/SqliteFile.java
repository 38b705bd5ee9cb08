// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** Databases of SQLite in files, for tests; gone when the JVM ends. Thread-safe. */
public final class SqliteFile {

  private SqliteFile() {}

  /** The JDBC URL of a database that nobody has yet; its file is made by the first connection. */
  public static String newUrl() {
    try {
      var directory = Files.createTempDirectory("evita-sqlite");
      // What is deleted on exit is deleted in the reverse order.
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
