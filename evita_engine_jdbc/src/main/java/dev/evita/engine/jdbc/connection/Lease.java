// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import dev.evita.engine.jdbc.dialect.SessionRules;
import dev.evita.engine.jdbc.health.StorageWatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection and its prepared statements. The least recently used ones are evicted: beyond a
 * number of statements, or {@link #MOST_CHARACTERS} of text. A database's memory for a statement is
 * a multiple of its text, and clients determine the length of statements.
 *
 * <p>Used by one execution, or one transaction, at a time.
 */
public final class Lease implements AutoCloseable {

  /** The length of all cached texts. An ordinary statement has some hundreds. */
  private static final int MOST_CHARACTERS = 128 << 10;

  /** Across all leases, as a pool may give out one connection again by another lease. */
  private static final AtomicLong OWN_TEXTS = new AtomicLong();

  private final Connection connection;
  private final int cacheSize;
  private final Consumer<Connection> discard;
  private final Predicate<Connection> lost;
  private final StorageWatch.@Nullable Writer writer;
  private final SessionRules rules;
  private final LinkedHashMap<String, PreparedStatement> statements =
      new LinkedHashMap<>(16, 0.75f, true);
  private final Set<PreparedStatement> unkept = Collections.newSetFromMap(new IdentityHashMap<>());
  private int characters;
  private @Nullable String latest;

  /** A connection of the embedder's pool; its statements are not cached. */
  public Lease(Connection connection, SessionRules rules) {
    this(connection, 0, rules, own -> {}, own -> false, null);
  }

  /**
   * A connection to a database in this process.
   *
   * @param writer tracks its writes, and is closed with it; null if other threads write for it
   */
  public static Lease embedded(
      Connection connection,
      int cacheSize,
      SessionRules rules,
      StorageWatch.@Nullable Writer writer) {
    return new Lease(connection, cacheSize, rules, own -> {}, rules::isLost, writer);
  }

  /**
   * A pool's connection.
   *
   * @param discard makes the pool evict the connection
   */
  Lease(Connection connection, SessionRules rules, Consumer<Connection> discard) {
    this(connection, 0, rules, discard, own -> false, null);
  }

  private Lease(
      Connection connection,
      int cacheSize,
      SessionRules rules,
      Consumer<Connection> discard,
      Predicate<Connection> lost,
      StorageWatch.@Nullable Writer writer) {
    this.connection = connection;
    this.cacheSize = cacheSize;
    this.rules = rules;
    this.discard = discard;
    this.lost = lost;
    this.writer = writer;
  }

  public Connection connection() {
    return connection;
  }

  /** Marks the begin of a write to the storage, or of its next step. */
  public void beginWrite() {
    if (writer != null) {
      writer.begin();
    }
  }

  /** Marks the return of the write. */
  public void endWrite() {
    if (writer != null) {
      writer.end();
    }
  }

  /**
   * Prepares a statement of this text, or reuses a cached one; to be returned by {@link #release}.
   */
  public PreparedStatement prepare(String sql) throws SQLException {
    latest = sql;
    var known = statements.get(sql);
    if (known != null && !known.isClosed()) {
      return known;
    }
    var whole = rules.mustBeReadWhole(sql);
    var text = whole ? sql + "\n-- " + OWN_TEXTS.incrementAndGet() : sql;
    var statement = connection.prepareStatement(text);
    if (cacheSize == 0 || sql.length() > MOST_CHARACTERS / 4 || (whole && rules.mayEndEarly(sql))) {
      unkept.add(statement);
    } else {
      keep(sql, statement);
    }
    return statement;
  }

  private void keep(String sql, PreparedStatement statement) throws SQLException {
    if (statements.put(sql, statement) == null) {
      characters += sql.length();
    }
    while (statements.size() > cacheSize || characters > MOST_CHARACTERS) {
      var eldest = statements.pollFirstEntry();
      characters -= eldest.getKey().length();
      eldest.getValue().close();
    }
  }

  /**
   * Evicts the statement prepared last, because it failed: SQLite's driver makes such a statement
   * unusable without reporting it.
   */
  public void evictLatest() {
    var statement = latest == null ? null : statements.remove(latest);
    if (latest != null && statement != null) {
      characters -= latest.length();
      try {
        statement.close();
      } catch (SQLException e) {
        // It is not used again in any case.
      }
    }
  }

  /**
   * Closes the statement unless it is cached.
   *
   * @param read whether all of its rows were read
   */
  public void release(PreparedStatement statement, boolean read) throws SQLException {
    if (unkept.remove(statement) || (!read && dropUnread(statement))) {
      statement.close();
    }
  }

  /** Evicts a statement that must be read completely. Returns whether it is one. */
  private boolean dropUnread(PreparedStatement statement) {
    for (var kept : statements.sequencedEntrySet()) {
      if (kept.getValue().equals(statement) && rules.mustBeReadWhole(kept.getKey())) {
        statements.remove(kept.getKey());
        characters -= kept.getKey().length();
        return true;
      }
    }
    return false;
  }

  /** Whether the connection is still usable. */
  boolean usable() {
    try {
      return !connection.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Closes the connection from another thread than the one that may be blocked in its driver: if
   * the database is behind a socket, closes that, so that the blocked thread fails with an
   * exception. Does not wait. The lease is still returned by the thread that has it.
   */
  public void abort() {
    abort(connection);
  }

  /** The same for a connection that is not leased. */
  static void abort(Connection connection) {
    var unused =
        Thread.ofVirtual()
            .name("evita-abort")
            .start(() -> {
              try {
                connection.abort(Runnable::run);
              } catch (SQLException | RuntimeException e) {
                // The driver offers no other way; the thread returns when the driver lets it.
              }
            });
  }

  /** Closes the connection and with it all of its statements. */
  @Override
  public void close() {
    discard.accept(connection);
    if (writer != null) {
      writer.close();
    }
    giveBack();
  }

  /** Ends the use of the connection: a pool's is returned to the pool, any other is closed. */
  void giveBack() {
    if (lost.test(connection)) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // It is abandoned in any case; no caller could use the failure.
    }
  }
}
