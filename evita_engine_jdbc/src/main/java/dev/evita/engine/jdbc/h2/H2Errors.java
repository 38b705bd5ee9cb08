// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.engine.jdbc.dialect.ErrorRules;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/** Classifies a driver's failures, in H2. */
final class H2Errors extends ErrorRules {

  private static final Pattern DECIMAL_COLUMN =
      Pattern.compile("column \"[^:]*(NUMERIC|DECFLOAT|DECIMAL)\\(");

  private static final Pattern EXISTING_ROW =
      Pattern.compile(" (?:VALUES )?\\( ?/\\*.*\"", Pattern.DOTALL);
  private static final Pattern VENDOR_CODE =
      Pattern.compile("(; SQL statement:.*)?\\s*\\[[0-9]{5}-[0-9]{3}]\\s*$", Pattern.DOTALL);

  /** An alias that was given null for a number, which H2 therefore does not call. */
  private static final int NO_RESULT = 90000;

  private static final Set<Integer> STORAGE =
      Set.of(
          DataUtils.ERROR_READING_FAILED,
          DataUtils.ERROR_WRITING_FAILED,
          DataUtils.ERROR_FILE_CORRUPT);

  private static final int MISSING_ALIAS = 90022;
  private static final int EXCEPTION_IN_ALIAS = 90105;

  /** H2's memory then differs from its file, which must be opened again to be read. */
  @Override
  public Health afterStorageFault(EvitaException fault) {
    return new Health.Down(fault);
  }

  @Override
  protected @Nullable ErrorCode code(SQLException failure) {
    return isStorageFault(failure) ? ErrorCode.STORAGE_FAILED : byNumber(failure);
  }

  /** The store has failed to read or write its file, or has closed itself because of that. */
  private static boolean isStorageFault(SQLException failure) {
    var store = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      store |= cause instanceof MVStoreException;
      if (cause instanceof MVStoreException known && STORAGE.contains(known.getErrorCode())) {
        return true;
      }
      if (store && cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable ErrorCode byNumber(SQLException failure) {
    return switch (failure.getErrorCode()) {
      case 90131, 40001, 50200 -> ErrorCode.SERIALIZATION_FAILURE;
      case 57014 -> ErrorCode.CANCELLED;
      case 90097 -> ErrorCode.READ_ONLY;
      // A SQLException of an alias is passed through; this is any other exception, or an error.
      case EXCEPTION_IN_ALIAS -> ErrorCode.DATABASE_ERROR;
      case 90096 -> ErrorCode.PERMISSION_DENIED;
      case 50100 -> ErrorCode.UNSUPPORTED_OPERATION; // a view that cannot be written
      case 90045 -> ErrorCode.DATABASE_ERROR;
      case 50000 -> isCrowded(failure) ? ErrorCode.POOL_EXHAUSTED : standard(failure);
      // 90135: another connection has switched to SET EXCLUSIVE
      case 90007, 90067, 90098, 90121, 90020, 90135 -> ErrorCode.DATABASE_UNREACHABLE;
      case 22018, 22007, 22030, 22037, NO_RESULT -> ErrorCode.INVALID_DATA;
      case 23002, 23503, 23506 -> ErrorCode.FOREIGN_KEY_VIOLATION;
      case 23513, 23514 -> ErrorCode.CHECK_VIOLATION;
      case 22001 -> isDecimal(failure) ? ErrorCode.VALUE_OUT_OF_RANGE : ErrorCode.VALUE_TOO_LONG;
      case 90039 -> ErrorCode.VALUE_TOO_LONG;
      default -> standard(failure);
    };
  }

  /** SQL within an alias fails like any other, so only a missing alias indicates a change. */
  @Override
  protected ErrorCode unknownInCall(SQLException failure) {
    return failure.getErrorCode() == MISSING_ALIAS
        ? ErrorCode.CATALOG_CHANGED
        : ErrorCode.DATABASE_ERROR;
  }

  /**
   * Removes H2's code at the end, such as {@code [22001-252]}, and the content of the existing row.
   */
  @Override
  protected String message(SQLException failure) {
    if (isCrowded(failure)) {
      return "H2 has reached its limit of 255 open transactions; retry later";
    }
    if (failure.getErrorCode() == EXCEPTION_IN_ALIAS) {
      return "The Java code of an alias failed; the server's log has the cause";
    }
    var message = VENDOR_CODE.matcher(super.message(failure)).replaceFirst("");
    return EXISTING_ROW.matcher(message).replaceFirst("\"");
  }

  /** Each response that waits for its client holds a transaction, and H2 has few of them. */
  private static boolean isCrowded(SQLException failure) {
    return failure.getCause() instanceof MVStoreException store
        && store.getErrorCode() == DataUtils.ERROR_TOO_MANY_OPEN_TRANSACTIONS;
  }

  /** H2 reports a number of too many digits as too long, and names the column with its type. */
  private static boolean isDecimal(SQLException failure) {
    return DECIMAL_COLUMN.matcher(String.valueOf(failure.getMessage())).find();
  }

  /** H2 has codes from 90000 for unknown names, with SQLStates of no class. */
  private static @Nullable ErrorCode standard(SQLException failure) {
    var message = String.valueOf(failure.getMessage());
    var code = failure.getErrorCode();
    if (code == 0 && failure.getSQLState() == null) {
      return ErrorCode.RAISED; // thrown by an alias, as H2 has a code for all failures of its own
    }
    if (code >= 90000 && message.toLowerCase(Locale.ROOT).contains("not found")) {
      return ErrorCode.INVALID_SCRIPT;
    }
    return null;
  }
}
