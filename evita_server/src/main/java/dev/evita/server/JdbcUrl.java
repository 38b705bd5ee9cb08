// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JDBC URL of a supported database.
 *
 * @param kind {@code h2}, {@code sqlite} or {@code postgresql}
 * @param rest the part after the kind
 */
record JdbcUrl(String kind, String rest) {

  private static final List<String> KINDS = List.of("h2", "sqlite", "postgresql");

  /** H2's file systems for ordinary files. */
  private static final Pattern PLAIN_FILES = Pattern.compile("^((file|nio|nioMapped|async):)+");

  /** In memory, on a server, or split; a single letter is a Windows drive. */
  private static final Pattern OTHER_FILE_SYSTEM = Pattern.compile("^[A-Za-z]\\w+:");

  /**
   * Parses a URL.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}; the message contains no more than the
   *     kind, as URLs may contain passwords
   */
  static JdbcUrl of(String url) {
    var parts = url.split(":", 3);
    if (parts.length < 3 || !parts[0].equals("jdbc")) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "db is not a JDBC URL; expected for example jdbc:postgresql://localhost/shop");
    }
    if (!KINDS.contains(parts[1])) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "db is a JDBC URL of '" + parts[1] + "'; expected one of " + String.join(", ", KINDS));
    }
    return new JdbcUrl(parts[1], parts[2]);
  }

  /** Whether the database ends with the process. */
  boolean inMemory() {
    return switch (kind) {
      case "h2" -> rest.startsWith("mem:");
      case "sqlite" ->
          rest.isEmpty() || rest.startsWith(":memory:") || rest.contains("mode=memory");
      default -> false;
    };
  }

  /**
   * Checks that the file of an embedded database exists: drivers would create a new, empty database
   * for a mistyped name.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  void requireFile() {
    file()
        .filter(file -> !Files.isRegularFile(file))
        .ifPresent(file -> {
          throw new EvitaException(
              ErrorCode.INVALID_CONFIGURATION,
              "database file "
                  + file
                  + " does not exist; check --db, or set --init SCRIPT to create it");
        });
  }

  /**
   * The files that a driver would create for a new database: the database file and those beside it
   * that do not exist yet. Empty if the file exists, or if no file is needed.
   */
  List<Path> filesToMake() {
    return file().filter(Files::notExists).stream()
        .flatMap(file -> Stream.concat(Stream.of(file), beside(file)))
        .filter(Files::notExists)
        .toList();
  }

  private Stream<Path> beside(Path file) {
    var name = file.toString();
    return switch (kind) {
      case "h2" -> Stream.of(Path.of(name.replaceFirst("\\.mv\\.db$", ".trace.db")));
      case "sqlite" -> Stream.of("-wal", "-shm", "-journal").map(end -> Path.of(name + end));
      default -> Stream.empty();
    };
  }

  /** The file of an embedded database; empty for one in memory or on a server. */
  private Optional<Path> file() {
    try {
      return switch (kind) {
        case "h2" -> h2File();
        case "sqlite" -> inMemory() ? Optional.empty() : Optional.of(Path.of(sqliteFile()));
        default -> Optional.empty();
      };
    } catch (InvalidPathException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION, "db names a file that cannot exist; check --db", e);
    }
  }

  private Optional<Path> h2File() {
    var path = PLAIN_FILES.matcher(rest.split(";", 2)[0]).replaceFirst("");
    if (OTHER_FILE_SYSTEM.matcher(path).find()) {
      return Optional.empty();
    }
    // H2 expands a leading ~ to the home directory, like shells.
    var home = path.startsWith("~/") ? System.getProperty("user.home") + path.substring(1) : path;
    return Optional.of(Path.of(home + ".mv.db"));
  }

  private String sqliteFile() {
    var path = rest.split("\\?", 2)[0];
    return path.startsWith("file:") ? path.substring("file:".length()) : path;
  }
}
