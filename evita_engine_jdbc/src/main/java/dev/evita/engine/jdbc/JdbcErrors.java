// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * From a driver's failure to the contract's: the one place that knows.
 *
 * <p>A dialect looks at its vendor codes first; SQLStates, which the SQL standard and PostgreSQL's
 * appendix A list, say the rest.
 */
final class JdbcErrors {

  private static final int LONGEST = 500;

  /** What the database says then is about our statement, not the caller's request. */
  static final String CHANGED = "The schema was changed at the same moment; try again";

  private final Dialect dialect;

  JdbcErrors(Dialect dialect) {
    this.dialect = dialect;
  }

  /** The failure of an operation whose names came from the catalog. */
  EvitaException translate(Throwable failure) {
    return translate(failure, dialect::unknownName, "");
  }

  /** The failure of a call: a name that is missing may be the routine's, or stand in its body. */
  EvitaException translateCall(Throwable failure) {
    return translate(failure, dialect::unknownInCall, "");
  }

  /** The failure of the numbered statement of a script, whose names came from its author. */
  EvitaException translateScript(Throwable failure, int number, int count) {
    var where = count > 1 ? "Statement " + number + " of " + count + ": " : "";
    return translate(failure, sql -> ErrorCode.INVALID_SCRIPT, where);
  }

  private EvitaException translate(
      Throwable failure, Function<SQLException, ErrorCode> unknownName, String where) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EvitaException evita) {
        return evita;
      }
      if (cause instanceof SQLException sql) {
        var own = code(sql);
        var code = own == ErrorCode.INVALID_SCRIPT ? unknownName.apply(sql) : own;
        // What is not the caller's to mend needs no more words than the log has.
        var told = code.category() == ErrorCode.Category.USER;
        return new EvitaException(
            code,
            code == ErrorCode.CATALOG_CHANGED ? CHANGED : where + message(sql),
            told ? ifPresent(dialect.details(sql)) : null,
            told ? ifPresent(dialect.hint(sql)) : null,
            failure);
      }
    }
    return EvitaException.from(failure);
  }

  private ErrorCode code(SQLException failure) {
    var own = dialect.code(failure);
    return own != null ? own : standard(failure);
  }

  private static ErrorCode standard(SQLException failure) {
    if (failure instanceof SQLTransientConnectionException) {
      return ErrorCode.POOL_EXHAUSTED;
    }
    if (failure instanceof SQLTimeoutException) {
      return ErrorCode.DEADLINE_EXCEEDED;
    }
    var state = failure.getSQLState() == null ? "" : failure.getSQLState();
    var exact = exact(state);
    return exact != null ? exact : byClass(state);
  }

  private static @Nullable ErrorCode exact(String state) {
    return switch (state) {
      case "23505" -> ErrorCode.UNIQUE_VIOLATION;
      case "23503", "23506", "23001" -> ErrorCode.FOREIGN_KEY_VIOLATION;
      case "23502" -> ErrorCode.NOT_NULL_VIOLATION;
      case "23514", "23513" -> ErrorCode.CHECK_VIOLATION;
      case "22001" -> ErrorCode.VALUE_TOO_LONG;
      case "22003" -> ErrorCode.VALUE_OUT_OF_RANGE;
      case "25006" -> ErrorCode.READ_ONLY;
      case "57014" -> ErrorCode.CANCELLED;
      case "53300" -> ErrorCode.POOL_EXHAUSTED;
      case "0A000" -> ErrorCode.UNSUPPORTED_OPERATION;
      default -> null;
    };
  }

  private static ErrorCode byClass(String state) {
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "08", "28", "57" -> ErrorCode.DATABASE_UNREACHABLE;
      case "22" -> ErrorCode.INVALID_DATA;
      case "23" -> ErrorCode.CHECK_VIOLATION;
      case "40" -> ErrorCode.SERIALIZATION_FAILURE;
      case "42" -> ErrorCode.INVALID_SCRIPT;
      case "45", "P0" -> ErrorCode.RAISED;
      default -> ErrorCode.DATABASE_ERROR;
    };
  }

  /** The database's words, without SQL, codes and positions. */
  private String message(SQLException failure) {
    var message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return "The database failed with state " + failure.getSQLState();
    }
    var text = dialect.message(failure).strip();
    text = before(text, "; SQL statement:");
    text = before(text, "\n  Position:");
    text = before(text, "\n  Where:");
    return line(text);
  }

  private static @Nullable String ifPresent(@Nullable String text) {
    return text == null ? null : line(text);
  }

  private static String line(String text) {
    var line = text.strip().replaceAll("\\s+", " ");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
  }

  private static String before(String text, String end) {
    var at = text.indexOf(end);
    return at < 0 ? text : text.substring(0, at);
  }
}
