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
 * Maps a driver's failure to the contract's.
 *
 * <p>A dialect checks its vendor codes first; otherwise SQLStates decide, which are listed by the
 * SQL standard and PostgreSQL's appendix A.
 */
public final class JdbcErrors {

  /** SQLSTATE of a server at its connection limit. */
  public static final String TOO_MANY_CONNECTIONS = "53300";

  private static final int LONGEST = 500;

  /** Replaces the database's message, which is then about our statement rather than the request. */
  public static final String CHANGED = "The schema was changed concurrently; retry the request";

  /** Parts that must not leave the process: names of Java classes, object identities, paths. */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "\\b[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)+\\.[A-Z]\\w*|@[0-9a-f]{4,}\\b"
              + "|\\b\\w+(?:Exception|Error)\\b|(?<![\\w/])/[\\w.-]+/[\\w./-]+|\\b[A-Za-z]:\\\\"
              + "|\\bbase/[0-9]+/");

  private final Dialect dialect;
  private final Consumer<EvitaException> storageFault;

  /**
   * @param storageFault receives each failure of the storage
   */
  public JdbcErrors(Dialect dialect, Consumer<EvitaException> storageFault) {
    this.dialect = dialect;
    this.storageFault = storageFault;
  }

  /** Returns the failure of an inconsistent operation. */
  public static EvitaException invalid(String message) {
    return new EvitaException(
        ErrorCode.INVALID_OPERATION, "The operation is inconsistent: " + message);
  }

  /** Returns the failure of an operation that the database does not support. */
  public static EvitaException unsupported(SQLDialect dialect, String what) {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION, dialect.getName() + " does not support " + what);
  }

  /** Translates the failure of an operation whose names are from the catalog. */
  public EvitaException translate(Throwable failure) {
    return translate(failure, dialect.errors()::unknownName, "");
  }

  /**
   * Translates the failure of a call: an unknown name may be the routine's, or occur in its body.
   */
  public EvitaException translateCall(Throwable failure) {
    return translate(failure, dialect.errors()::unknownInCall, "");
  }

  /** Translates the failure of a script's numbered statement, whose names are the author's. */
  public EvitaException translateScript(Throwable failure, int number, int count) {
    var where = count > 1 ? "Statement " + number + " of " + count + ": " : "";
    return translate(failure, sql -> ErrorCode.INVALID_SCRIPT, where);
  }

  /** Translates the failure for an unchanged schema: retries cannot find the missing object. */
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
    // Details and hints are for the caller, who can correct only its own errors.
    var shown = code.category() == ErrorCode.Category.USER;
    return new EvitaException(
        code,
        code == ErrorCode.CATALOG_CHANGED ? CHANGED : where + message(code, sql),
        shown ? ifPresent(dialect.errors().details(sql)) : null,
        shown ? ifPresent(dialect.errors().hint(sql)) : null,
        failure);
  }

  /** The failure of a write to the storage. */
  public static EvitaException storageFailed(@Nullable Throwable cause) {
    return new EvitaException(
        ErrorCode.STORAGE_FAILED,
        "The database's storage failed, for example by a full disk; writes are rejected until the storage"
            + " is repaired and the server restarted",
        cause);
  }

  /** The failure of a commit whose outcome is unknown. */
  public static EvitaException commitUnknown(@Nullable Throwable cause) {
    return new EvitaException(
        ErrorCode.COMMIT_UNKNOWN,
        "The outcome of the write is unknown, as the database did not confirm the commit; repeat"
            + " the request again with the same Idempotency-Key, or read the stored data",
        cause);
  }

  /**
   * Whether a failed commit may have succeeded, as the database did not reject it.
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

  /** The database's message, without SQL, codes and positions; ours if that is not public. */
  private String message(ErrorCode code, SQLException failure) {
    if (code == ErrorCode.DATABASE_UNREACHABLE) {
      return "The database does not respond; retry later";
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
    // In these two classes the messages name files and lines of the database's own sources.
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
