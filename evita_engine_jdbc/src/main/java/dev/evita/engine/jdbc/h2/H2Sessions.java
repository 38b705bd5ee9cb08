// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.h2.jdbc.JdbcConnection;

/** Sets up connections, and begins and ends their transactions and statements, in H2. */
final class H2Sessions extends SessionRules {

  /**
   * A list, or alternatives of equal columns, which H2 turns into a list. The length of a value is
   * bounded, so that a long text is not searched again from each of its equals signs.
   */
  private static final Pattern LIST =
      Pattern.compile(
          "\\b(in|any|some)\\s*\\(|=\\s*('[^']{0,200}'|\\S{1,200}?)\\){0,20}\\s+or\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern LIMIT =
      Pattern.compile(
          "\\b(limit|fetch|top|exists)\\b|\\b(in|any|some)\\s*\\(\\s*select\\b",
          Pattern.CASE_INSENSITIVE);

  private final boolean embedded;

  H2Sessions(boolean embedded) {
    this.embedded = embedded;
  }

  @Override
  public boolean behindSocket() {
    return !embedded;
  }

  /**
   * After a failed write, H2 closes its store. A statement on it, including COMMIT, ROLLBACK and
   * those at the end of a connection, may then search forever for the version that it reads
   * (MVStore.registerVersionUsage: 2.5.252).
   */
  @Override
  public boolean isLost(Connection connection) {
    try {
      var session = embedded ? H2SchemaGuard.session(connection) : null;
      return session != null && session.getDatabase().getStore().getMvStore().isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void session(Connection connection) throws SQLException {
    // Otherwise H2 collects a whole result before it returns the first row.
    execute(connection, "set lazy_query_execution 1");
  }

  /**
   * H2 2.5.252 does not reset the cursor of an index before it looks up a list in it
   * (IndexCursor.find): the next execution continues where the last one stopped. H2 also caches the
   * last statements of a session by their texts, and reuses them.
   */
  @Override
  public boolean mustBeReadWhole(String sql) {
    return LIST.matcher(sql).find();
  }

  @Override
  public boolean mayEndEarly(String sql) {
    return LIMIT.matcher(sql).find();
  }

  /**
   * Cancels the statement and the session, as H2 does when a connection is closed: a query within a
   * query, such as a view, checks the session's current command for a cancellation, and between two
   * rows of a lazy result there is no current command.
   */
  @Override
  public void cancel(PreparedStatement statement) throws SQLException {
    statement.cancel();
    statement.getConnection().unwrap(JdbcConnection.class).getSession().cancel();
  }

  /**
   * The cancellation of the session may arrive after this command, and would affect the next one.
   */
  @Override
  public boolean cancelSpoils() {
    return true;
  }
}
