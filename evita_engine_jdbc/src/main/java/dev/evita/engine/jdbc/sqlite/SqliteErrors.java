// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.engine.jdbc.dialect.ErrorRules;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Classifies a driver's failures, in SQLite. */
final class SqliteErrors extends ErrorRules {

  /** Families of result codes, some thirty of them for input and output. */
  private static final Pattern STORAGE_FAULT = Pattern.compile("SQLITE_(IOERR|CORRUPT)");

  private static final String LONG_STATEMENT = "statement too long";

  /**
   * On a full disk, the write that would complete the transaction has failed: the commit frame of
   * the write-ahead log, or the writes before the end of the rollback journal. A checkpoint that
   * fails after a commit is no failure of the commit.
   */
  @Override
  public boolean isRolledBack(SQLException failure) {
    return failure instanceof SQLiteException sqlite
        && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_FULL;
  }

  /** A transaction that did not reach the disk was rolled back, so reading is safe. */
  @Override
  public Health afterStorageFault(EvitaException fault) {
    return new Health.ReadOnly(fault);
  }

  @Override
  protected ErrorCode unknownInCall(SQLException failure) {
    return unknownName(failure);
  }

  @Override
  protected @Nullable ErrorCode code(SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return null;
    }
    return switch (sqlite.getResultCode()) {
      case SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_ROWID ->
          ErrorCode.UNIQUE_VIOLATION;
      case SQLITE_CONSTRAINT_FOREIGNKEY -> ErrorCode.FOREIGN_KEY_VIOLATION;
      case SQLITE_CONSTRAINT_NOTNULL -> ErrorCode.NOT_NULL_VIOLATION;
      case SQLITE_CONSTRAINT_CHECK, SQLITE_CONSTRAINT_TRIGGER, SQLITE_CONSTRAINT ->
          ErrorCode.CHECK_VIOLATION;
      case SQLITE_CONSTRAINT_DATATYPE, SQLITE_MISMATCH -> ErrorCode.INVALID_DATA;
      case SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT, SQLITE_BUSY_RECOVERY, SQLITE_BUSY_TIMEOUT ->
          ErrorCode.SERIALIZATION_FAILURE;
      case SQLITE_LOCKED, SQLITE_LOCKED_SHAREDCACHE -> ErrorCode.SERIALIZATION_FAILURE;
      case SQLITE_INTERRUPT -> ErrorCode.CANCELLED;
      case SQLITE_READONLY -> ErrorCode.READ_ONLY;
      case SQLITE_TOOBIG ->
          String.valueOf(sqlite.getMessage()).contains(LONG_STATEMENT)
              ? ErrorCode.INVALID_OPERATION
              : ErrorCode.VALUE_TOO_LONG;
      case SQLITE_CANTOPEN, SQLITE_AUTH -> ErrorCode.DATABASE_UNREACHABLE;
      case SQLITE_FULL, SQLITE_NOTADB, SQLITE_READONLY_DBMOVED -> ErrorCode.STORAGE_FAILED;
      case SQLITE_ERROR -> error(String.valueOf(sqlite.getMessage()));
      default ->
          STORAGE_FAULT.matcher(sqlite.getResultCode().name()).lookingAt()
              ? ErrorCode.STORAGE_FAILED
              : ErrorCode.DATABASE_ERROR;
    };
  }

  /** SQLite has one code for errors in a statement and for some errors in data. */
  private static ErrorCode error(String message) {
    if (message.contains("overflow")) {
      return ErrorCode.VALUE_OUT_OF_RANGE;
    }
    if (message.contains("too large") || message.contains("too many")) {
      return ErrorCode.INVALID_OPERATION; // more terms than SQLite's limits allow
    }
    if (message.contains("because it is a view")) {
      return ErrorCode.UNSUPPORTED_OPERATION;
    }
    return message.contains("malformed JSON") ? ErrorCode.INVALID_DATA : ErrorCode.INVALID_SCRIPT;
  }

  /** The driver wraps SQLite's message in its own. */
  @Override
  protected String message(SQLException failure) {
    var driverMessage = super.message(failure);
    if (driverMessage.contains(LONG_STATEMENT)) {
      return "The statement has more than the 1 000 000 characters that SQLite accepts; use fewer"
          + " conditions, or one with a list of values";
    }
    var open = driverMessage.indexOf(" (");
    return open > 0 && driverMessage.startsWith("[") && driverMessage.endsWith(")")
        ? driverMessage.substring(open + 2, driverMessage.length() - 1)
        : driverMessage;
  }
}
