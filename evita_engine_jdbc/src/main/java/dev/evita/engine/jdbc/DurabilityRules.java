// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.h2.engine.Database;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that each database requires for a {@link Durability}. Settings of our own
 * connections are applied; others are read back, and rejected if they are weaker.
 */
final class DurabilityRules {

  private static final Logger LOG = LoggerFactory.getLogger(DurabilityRules.class);

  private static final Pattern WRITE_DELAY =
      Pattern.compile("WRITE_DELAY[\\s=]+(\\d+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern CIPHER = Pattern.compile(";CIPHER=", Pattern.CASE_INSENSITIVE);

  /** H2's in-memory file systems. */
  private static final Pattern MEMORY_FILES =
      Pattern.compile("(?:^|:)(?:memFS|memLZF|nioMemFS|nioMemLZF):", Pattern.CASE_INSENSITIVE);

  private static final Set<String> UNSAFE_JOURNALS = Set.of("memory", "off");

  private static final Pattern SYNCHRONOUS =
      Pattern.compile("[?&]synchronous=", Pattern.CASE_INSENSITIVE);

  private static final Pattern JOURNAL_MODE =
      Pattern.compile("[?&]journal_mode=", Pattern.CASE_INSENSITIVE);

  private final Durability level;

  DurabilityRules(Durability level) {
    this.level = level;
  }

  private String shown() {
    return "durability: " + level.name().toLowerCase(Locale.ROOT);
  }

  private static EvitaException refused(String fault, String remedy) {
    return new EvitaException(ErrorCode.INVALID_CONFIGURATION, fault + "; " + remedy);
  }

  /** Rejects an in-memory database if more than the default durability is required. */
  void requireMemoryAllowed() {
    if (level == Durability.POWER) {
      throw refused(
          shown() + " cannot be guaranteed by an in-memory database, which ends with the process",
          "use a file, or omit durability");
    }
  }

  // ---- H2 ----

  /** Whether an H2 database in this process has no file. */
  static boolean inMemory(Database database) {
    return !database.isPersistent() || inMemoryFiles(database.getDatabasePath());
  }

  private static boolean inMemoryFiles(@Nullable String path) {
    return path != null && MEMORY_FILES.matcher(path).find();
  }

  /** Rejects a write delay of H2's own, which contradicts this engine's writes. */
  void requireH2Url(String url) {
    if (level == Durability.POWER && CIPHER.matcher(url).find()) {
      throw refused(
          shown()
              + " cannot be guaranteed by an encrypted H2 file, which is not recovered after a crash",
          "omit CIPHER from the URL and encrypt the device, or set durability: process");
    }
    var delay = WRITE_DELAY.matcher(url);
    while (delay.find()) {
      if (Long.parseLong(delay.group(1)) > 0) {
        throw refused(
            "The URL sets WRITE_DELAY=" + delay.group(1) + ", which contradicts " + shown(),
            "omit WRITE_DELAY from the URL");
      }
    }
  }

  /** Checks an H2 database that others may have opened: another process, or a data source. */
  void requireH2(Connection connection) throws SQLException {
    var path = text(connection, "select database_path()");
    if (path == null || inMemoryFiles(path)) {
      requireMemoryAllowed();
      return;
    }
    if (level == Durability.POWER) {
      throw refused(
          shown()
              + " requires an H2 file opened by this engine, as H2 itself does not force commits",
          "open it by its file URL without AUTO_SERVER, or set durability: process");
    }
    var delay =
        text(
            connection,
            "select setting_value from information_schema.settings"
                + " where setting_name = 'WRITE_DELAY'");
    if (delay != null && !delay.equals("0")) {
      throw refused(
          "H2 writes commits up to " + delay + " ms late, which contradicts " + shown(),
          "add ;WRITE_DELAY=0 to the URL that opens the database");
    }
  }

  // ---- SQLite ----

  /** Sets up a connection that this engine opens. */
  void setSqlite(Connection connection, String url) throws SQLException {
    if (isInMemory(connection)) {
      requireMemoryAllowed();
      return;
    }
    var journal = journal(connection);
    if (!SYNCHRONOUS.matcher(url).find()) {
      SessionRules.execute(connection, "pragma synchronous = " + synchronous(journal));
    } else {
      requireSynchronous(connection, journal, "omit synchronous from the URL");
    }
  }

  /** Checks a connection of a data source, which is not configured by us. */
  void requireSqlite(Connection connection) throws SQLException {
    if (isInMemory(connection)) {
      requireMemoryAllowed();
      return;
    }
    var journal = journal(connection);
    requireSynchronous(
        connection,
        journal,
        "set pragma synchronous = " + synchronous(journal) + " for each of its connections");
  }

  /**
   * Data that the process has written survives it without a force, so that {@code PROCESS} needs
   * none.
   */
  private void requireSynchronous(Connection connection, String journal, String remedy)
      throws SQLException {
    var found = Integer.parseInt(String.valueOf(text(connection, "pragma synchronous")));
    if (level == Durability.POWER && found < synchronous(journal)) {
      throw refused("SQLite's synchronous is " + found + ", which contradicts " + shown(), remedy);
    }
  }

  /** Whether a SQLite URL sets the journal mode, which then applies. */
  static boolean setsJournal(String url) {
    return JOURNAL_MODE.matcher(url).find();
  }

  private static boolean isInMemory(Connection connection) throws SQLException {
    var file = text(connection, "select file from pragma_database_list where name = 'main'");
    return file == null || file.isEmpty() || file.startsWith("/evita-");
  }

  private static String journal(Connection connection) throws SQLException {
    var journal = String.valueOf(text(connection, "pragma journal_mode")).toLowerCase(Locale.ROOT);
    if (UNSAFE_JOURNALS.contains(journal)) {
      throw refused(
          "SQLite's journal_mode is " + journal + ", with which a crash can corrupt the database",
          "use WAL or DELETE");
    }
    return journal;
  }

  /**
   * The setting for a connection of ours. With a write-ahead log, NORMAL (1) forces only at
   * checkpoints and FULL (2) at each commit. With a rollback journal, less than FULL may corrupt
   * the database on power loss, and EXTRA (3) forces the directory as well.
   */
  private int synchronous(String journal) {
    var log = journal.equals("wal");
    return switch (level) {
      case PROCESS -> log ? 1 : 2;
      case POWER -> log ? 2 : 3;
    };
  }

  // ---- PostgreSQL ----

  /** Rejects settings weakened by the URL, and logs those weakened on the server. */
  void checkPostgres(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select name, setting, source from pg_catalog.pg_settings"
                    + " where name in ('fsync', 'synchronous_commit') and setting = 'off'")) {
      while (rows.next()) {
        var name = rows.getString(1);
        if ("client".equals(rows.getString(3))) {
          throw refused(
              "The URL sets " + name + "=off, which contradicts " + shown(),
              "omit " + name + " from the URL");
        }
        LOG.warn(
            "PostgreSQL has {}=off, set by its {}: acknowledged writes may be lost {}; set {}=on",
            name,
            rows.getString(3),
            name.equals("fsync") ? "with its machine's power" : "when the server ends abnormally",
            name);
      }
    }
  }

  private static @Nullable String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : null;
    }
  }
}
