// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.ErrorCode;
import dev.evita.engine.jdbc.dialect.ErrorRules;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Classifies a driver's failures, in PostgreSQL. */
final class PostgresErrors extends ErrorRules {

  /** Details that are not public: whole rows, and process ids. */
  private static final Pattern INTERNAL =
      Pattern.compile("(?s)(?:Failing row contains|Process ).*");

  /** The classes of SQLStates in appendix A, without those of {@code raise}. */
  private static final Set<String> OWN_CLASSES =
      Set.of(
          ("00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B "
                  + "3D 3F 40 42 44 53 54 55 57 58 72 F0 HV XX")
              .split(" "));

  @Override
  protected @Nullable ErrorCode code(SQLException failure) {
    if (failure instanceof SQLTransientConnectionException) {
      return unconnected(failure.getCause());
    }
    if (PoolerErrors.isExhausted(failure)) {
      return ErrorCode.POOL_EXHAUSTED;
    }
    var state = String.valueOf(failure.getSQLState());
    return switch (state) {
      case "57014" ->
          messageContains(failure, "timeout") ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.CANCELLED;
      case "0A000" -> unsupported(failure);
      case "2D000" -> ErrorCode.UNSUPPORTED_OPERATION;
      case "25P02" -> ErrorCode.TRANSACTION_CLOSED;
      case "25P03", "25P04" -> ErrorCode.DATABASE_UNREACHABLE;
      case "55P03" -> ErrorCode.SERIALIZATION_FAILURE;
      case "23P01" -> ErrorCode.UNIQUE_VIOLATION;
      case "428C9" -> ErrorCode.INVALID_DATA;
      case "42501" -> ErrorCode.PERMISSION_DENIED;
      case "55000" -> ErrorCode.UNSUPPORTED_OPERATION; // a view that cannot be written
      case "21000", "54000", "54001" -> ErrorCode.INVALID_DATA;
      case "53100" -> ErrorCode.STORAGE_FAILED;
      case "53200" -> ErrorCode.OVERLOADED;
      case "53400" -> ErrorCode.DATABASE_ERROR; // a configured limit, which no retry changes
      case "22P02", "22007", "22008", "22021", "22P05" -> ErrorCode.INVALID_DATA;
      default -> byClass(state);
    };
  }

  private static ErrorCode unsupported(SQLException failure) {
    if (messageContains(failure, "non-volatile function")) {
      return ErrorCode.READ_ONLY;
    }
    return messageContains(failure, "cached plan")
        ? ErrorCode.CATALOG_CHANGED
        : ErrorCode.UNSUPPORTED_OPERATION;
  }

  /** A class that is not the server's own was chosen by the author of a function. */
  private static @Nullable ErrorCode byClass(String state) {
    return state.length() == 5 && !OWN_CLASSES.contains(state.substring(0, 2))
        ? ErrorCode.RAISED
        : null;
  }

  /**
   * The pool reports by one class of exception that it is exhausted and that it cannot be filled.
   */
  private static ErrorCode unconnected(@Nullable Throwable cause) {
    var state = cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "53300";
    if (cause instanceof SQLException sql && PoolerErrors.isExhausted(sql)) {
      return ErrorCode.POOL_EXHAUSTED;
    }
    return state.startsWith("53") ? ErrorCode.POOL_EXHAUSTED : ErrorCode.DATABASE_UNREACHABLE;
  }

  private static boolean messageContains(SQLException failure, String words) {
    return String.valueOf(failure.getMessage()).contains(words);
  }

  /** Removes the names of the pool and of the host. */
  @Override
  protected String message(SQLException failure) {
    if (PoolerErrors.isExhausted(failure)) {
      return "The connection pooler has no connection left";
    }
    if (failure instanceof PSQLException known && hasServerMessage(known)) {
      return String.valueOf(known.getServerErrorMessage().getMessage());
    }
    var driverMessage = super.message(failure);
    if (driverMessage.contains("Connection is not available")) {
      return "No connection to the database became free in time";
    }
    if (driverMessage.startsWith("Connection to ")) {
      return "The database does not respond";
    }
    return driverMessage;
  }

  @Override
  protected @Nullable String details(SQLException failure) {
    var details =
        failure instanceof PSQLException known && hasServerMessage(known)
            ? known.getServerErrorMessage().getDetail()
            : null;
    return details == null || INTERNAL.matcher(details).matches() ? null : details;
  }

  @Override
  protected @Nullable String hint(SQLException failure) {
    return failure instanceof PSQLException known && hasServerMessage(known)
        ? known.getServerErrorMessage().getHint()
        : null;
  }

  /** Whether the server reported it, rather than the driver. */
  private static boolean hasServerMessage(PSQLException failure) {
    return failure.getServerErrorMessage() != null;
  }

  /**
   * Whether it occurred in the body of a function, of which the server reports the place. It does
   * so also for a parameter that cannot be parsed ("unnamed portal parameter $1").
   */
  private static boolean inBody(SQLException failure) {
    var where =
        failure instanceof PSQLException known && hasServerMessage(known)
            ? known.getServerErrorMessage().getWhere()
            : null;
    return where != null && where.contains(" function ");
  }

  @Override
  protected ErrorCode unknownInCall(SQLException failure) {
    return inBody(failure) ? ErrorCode.DATABASE_ERROR : ErrorCode.CATALOG_CHANGED;
  }

  /** Of all errors in a statement, only unknown names may be caused by a changed catalog. */
  @Override
  protected ErrorCode unknownName(SQLException failure) {
    if (inBody(failure)) {
      return ErrorCode
          .DATABASE_ERROR; // of a trigger or a policy, as calls have a method of their own
    }
    return switch (String.valueOf(failure.getSQLState())) {
      case "42883", "42804", "42809", "42846" -> ErrorCode.UNSUPPORTED_OPERATION; // for a type
      case "42601" -> ErrorCode.INVALID_DATA; // of a tsquery, as no other text comes from a user
      case "42704" -> unknownObject(failure);
      case "42P01", "42703" -> ErrorCode.CATALOG_CHANGED;
      default -> ErrorCode.DATABASE_ERROR;
    };
  }

  private static ErrorCode unknownObject(SQLException failure) {
    if (messageContains(failure, "text search")) {
      return ErrorCode.INVALID_DATA;
    }
    // There are no arrays of arrays, such as a list of arrays to compare with.
    return messageContains(failure, "array type")
        ? ErrorCode.UNSUPPORTED_OPERATION
        : ErrorCode.CATALOG_CHANGED;
  }

  @Override
  public int position(SQLException failure) {
    return failure instanceof PSQLException own && own.getServerErrorMessage() != null
        ? own.getServerErrorMessage().getPosition()
        : 0;
  }
}
