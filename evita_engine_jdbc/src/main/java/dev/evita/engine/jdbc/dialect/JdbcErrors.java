// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jooq.SQLDialect;
import org.jspecify.annotations.Nullable;

/**
 * From a driver's failure to the contract's: the one place that knows.
 *
 * <p>A dialect looks at its vendor codes first; SQLStates, which the SQL standard and PostgreSQL's
 * appendix A list, say the rest.
 */
public final class JdbcErrors {

  /** SQLSTATE of a server whose connections are all in use. */
  public static final String TOO_MANY_CONNECTIONS = "53300";

  private static final int LONGEST = 500;

  /** In place of the database's words, which are then about our statement, not the request. */
  public static final String CHANGED = "The schema was changed at the same moment; try again";

  /** What must not leave the process: names of Java classes, identities of objects, paths. */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "\\b[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)+\\.[A-Z]\\w*|@[0-9a-f]{4,}\\b"
              + "|\\b\\w+(?:Exception|Error)\\b|(?<![\\w/])/[\\w.-]+/[\\w./-]+|\\b[A-Za-z]:\\\\"
              + "|\\bbase/[0-9]+/");

  private final Dialect dialect;
  private final Consumer<EvitaException> storageFault;

  /**
   * @param storageFault is told of each failure of the storage
   */
  public JdbcErrors(Dialect dialect, Consumer<EvitaException> storageFault) {
    this.dialect = dialect;
    this.storageFault = storageFault;
  }

  /** Returns the failure of an operation that contradicts itself. */
  public static EvitaException invalid(String message) {
    return new EvitaException(
        ErrorCode.INVALID_OPERATION, "The operation contradicts itself: " + message);
  }

  /** Returns the failure of an operation that the database cannot do. */
  public static EvitaException unsupported(SQLDialect dialect, String what) {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION, dialect.getName() + " has no " + what);
  }

  /** The failure of an operation whose names came from the catalog. */
  public EvitaException translate(Throwable failure) {
    return translate(failure, dialect.errors()::unknownName, "");
  }

  /** The failure of a call: a name that is missing may be the routine's, or stand in its body. */
  public EvitaException translateCall(Throwable failure) {
    return translate(failure, dialect.errors()::unknownInCall, "");
  }

  /** The failure of the numbered statement of a script, whose names came from its author. */
  public EvitaException translateScript(Throwable failure, int number, int count) {
    var where = count > 1 ? "Statement " + number + " of " + count + ": " : "";
    return translate(failure, sql -> ErrorCode.INVALID_SCRIPT, where);
  }

  /** The same failure for a schema that has not changed: what is missing, no retry will find. */
  public EvitaException lasting(EvitaException changed) {
    return changed.getCause() instanceof SQLException sql
        ? new EvitaException(ErrorCode.DATABASE_ERROR, message(ErrorCode.DATABASE_ERROR, sql), sql)
        : changed;
  }

  private EvitaException translate(
      Throwable failure, Function<SQLException, ErrorCode> unknownName, String where) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EvitaException evita) {
        return evita;
      }
      if (cause instanceof SQLException sql) {
        return translate(sql, code(sql, unknownName), where, failure);
      }
    }
    return EvitaException.from(failure);
  }

  private ErrorCode code(SQLException failure, Function<SQLException, ErrorCode> unknownName) {
    var own = code(failure);
    return own == ErrorCode.INVALID_SCRIPT ? unknownName.apply(failure) : own;
  }

  private EvitaException translate(
      SQLException sql, ErrorCode code, String where, Throwable failure) {
    if (code == ErrorCode.STORAGE_FAILED) {
      var fault = storageFailed(failure);
      storageFault.accept(fault);
      return fault;
    }
    // Details and hints are for the caller, who can mend only its own mistakes.
    var told = code.category() == ErrorCode.Category.USER;
    return new EvitaException(
        code,
        code == ErrorCode.CATALOG_CHANGED ? CHANGED : where + message(code, sql),
        told ? ifPresent(dialect.errors().details(sql)) : null,
        told ? ifPresent(dialect.errors().hint(sql)) : null,
        failure);
  }

  /** The storage has not taken a write. */
  public static EvitaException storageFailed(@Nullable Throwable cause) {
    return new EvitaException(
        ErrorCode.STORAGE_FAILED,
        "The database's storage failed, as by a full disk; nothing more is written until the storage"
            + " is repaired and the server started again",
        cause);
  }

  /** A commit of which it is not known whether it was made. */
  public static EvitaException commitUnknown(@Nullable Throwable cause) {
    return new EvitaException(
        ErrorCode.COMMIT_UNKNOWN,
        "It is unknown whether the write was kept, as the database did not confirm the commit; send"
            + " the request again with the same Idempotency-Key, or read what is stored",
        cause);
  }

  /**
   * Whether a commit that failed so may have been made, as the database did not refuse it.
   *
   * @param code of the failure
   */
  public boolean mayHaveCommitted(EvitaException.Code code, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && dialect.errors().isRolledBack(sql)) {
        return false;
      }
    }
    return switch (code) {
      case ErrorCode.DATABASE_UNREACHABLE,
          ErrorCode.STORAGE_FAILED,
          ErrorCode.COMMIT_UNKNOWN,
          ErrorCode.DEADLINE_EXCEEDED,
          ErrorCode.SHUTTING_DOWN,
          ErrorCode.INTERNAL ->
          true;
      default -> false;
    };
  }

  private ErrorCode code(SQLException failure) {
    var own = dialect.errors().code(failure);
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
      case TOO_MANY_CONNECTIONS -> ErrorCode.POOL_EXHAUSTED;
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

  /** The database's words, without SQL, codes and positions; or ours, where its are not public. */
  private String message(ErrorCode code, SQLException failure) {
    if (code == ErrorCode.DATABASE_UNREACHABLE) {
      return "The database does not answer; try again in a moment";
    }
    var message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return "The database failed with state " + failure.getSQLState();
    }
    var text = dialect.errors().message(failure).strip();
    text = before(text, "; SQL statement:");
    text = before(text, "\n  Position:");
    text = before(text, "\n  Where:");
    return isPublic(code, failure, text)
        ? line(text)
        : "The database failed; the server's log has the cause";
  }

  private static boolean isPublic(ErrorCode code, SQLException failure, String text) {
    if (code.category() == ErrorCode.Category.USER) {
      return true;
    }
    var state = String.valueOf(failure.getSQLState());
    // Of these two classes the messages name files and lines of the database's own sources.
    return !state.startsWith("XX") && !state.startsWith("58") && !INTERNAL.matcher(text).find();
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
