// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advances sequences and identity columns that a crash has left behind the values in use.
 *
 * <p>H2 2.5.252 reserves values of a sequence in memory before it writes the reservation, and does
 * both without a common lock ({@code Sequence.getNext}). In between another session can take
 * reserved values and commit rows that contain them. After a crash at that moment, H2 issues those
 * values again, and inserts fail with {@code UNIQUE_VIOLATION}. The window is short, but it lasts
 * as long as a concurrent DDL statement.
 */
public final class H2Sequences {

  private static final Logger LOG = LoggerFactory.getLogger(H2Sequences.class);

  private static final String IDENTITIES =
      """
      select table_schema, table_name, column_name,
        cast(identity_base as numeric) as next_value,
        cast(identity_increment as numeric) as step,
        cast(identity_minimum as numeric) as lowest,
        cast(identity_maximum as numeric) as highest
      from information_schema.columns
      where is_identity = 'YES' and identity_base is not null
      """;

  private static final String SEQUENCES =
      """
      select sequence_schema, sequence_name,
        cast(base_value as numeric) as next_value,
        cast(increment as numeric) as step,
        cast(minimum_value as numeric) as lowest,
        cast(maximum_value as numeric) as highest,
        cache
      from information_schema.sequences
      where cache > 1 and base_value is not null
      """;

  private H2Sequences() {}

  /**
   * Advances each identity column past the values of its rows, and each other sequence by the
   * values that it reserves at a time. To be called after a crash, before the database has other
   * sessions. Objects that the user of the connection may not read or alter are skipped, with a
   * warning.
   */
  public static void advance(Connection connection) {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(IDENTITIES)) {
      while (rows.next()) {
        var table = quoted(rows.getString(1)) + "." + quoted(rows.getString(2));
        advanceIdentity(connection, table, quoted(rows.getString(3)), Range.of(rows));
      }
    } catch (SQLException e) {
      warn("identity columns", e);
    }
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(SEQUENCES)) {
      while (rows.next()) {
        var name = quoted(rows.getString(1)) + "." + quoted(rows.getString(2));
        var range = Range.of(rows);
        var reserved = range.step().multiply(rows.getBigDecimal("cache"));
        restart(connection, "sequence " + name, range.next().add(reserved), range);
      }
    } catch (SQLException e) {
      warn("sequences", e);
    }
  }

  /** The values of a sequence; {@code next} is the next one that it issues. */
  private record Range(BigDecimal next, BigDecimal step, BigDecimal lowest, BigDecimal highest) {

    static Range of(ResultSet row) throws SQLException {
      return new Range(
          row.getBigDecimal("next_value"),
          row.getBigDecimal("step"),
          row.getBigDecimal("lowest"),
          row.getBigDecimal("highest"));
    }
  }

  private static void advanceIdentity(
      Connection connection, String table, String column, Range range) {
    var ascending = range.step().signum() > 0;
    var sql = "select " + (ascending ? "max(" : "min(") + column + ") from " + table;
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var last = rows.next() ? rows.getBigDecimal(1) : null;
      if (last != null && last.subtract(range.next()).signum() * range.step().signum() >= 0) {
        var target = "table " + table + " alter column " + column;
        restart(connection, target, last.add(range.step()), range);
      }
    } catch (SQLException e) {
      warn("table " + table, e);
    }
  }

  private static void restart(Connection connection, String target, BigDecimal next, Range range) {
    if (next.compareTo(range.lowest()) < 0 || next.compareTo(range.highest()) > 0) {
      return;
    }
    var sql = "alter " + target + " restart with " + next.toPlainString();
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      warn(target, e);
    }
  }

  private static void warn(String what, SQLException failure) {
    LOG.warn(
        "After a crash, {} may issue values that are in use, and could not be advanced; restart"
            + " it beyond them as the owner",
        what,
        failure);
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
