// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.error;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;

/** The HTTP statuses of error codes. */
public final class HttpStatuses {

  private HttpStatuses() {}

  /** Returns the HTTP status of a code. */
  public static int of(EvitaException.Code code) {
    return switch (code) {
      case ProtocolErrorCode protocol -> protocol.status();
      case ErrorCode engine -> of(engine);
      default ->
          switch (code.category()) {
            case USER -> 400;
            case RESOURCES -> 503;
            case EXTERNAL, INTERNAL -> 500;
          };
    };
  }

  private static int of(ErrorCode code) {
    return switch (code) {
      case INVALID_VALUE,
          INVALID_OPERATION,
          UNKNOWN_COLUMN,
          UNKNOWN_ROUTINE,
          UNSUPPORTED_OPERATION,
          TOO_MANY_ROWS,
          CHECK_VIOLATION,
          NOT_NULL_VIOLATION,
          VALUE_TOO_LONG,
          VALUE_OUT_OF_RANGE,
          INVALID_DATA,
          RAISED,
          INVALID_SCRIPT,
          INVALID_CONFIGURATION ->
          400;
      case READ_ONLY, PERMISSION_DENIED -> 403;
      case UNKNOWN_TABLE -> 404;
      case UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, SERIALIZATION_FAILURE, TRANSACTION_CLOSED ->
          409;
      case CLIENT_GONE -> 499;
      case INTERNAL, STORED_VALUE_INVALID, DATABASE_ERROR -> 500;
      case DATABASE_UNREACHABLE,
          STORAGE_FAILED,
          OVERLOADED,
          POOL_EXHAUSTED,
          CLIENT_TOO_SLOW,
          SHUTTING_DOWN,
          CANCELLED,
          CATALOG_CHANGED ->
          503;
      case DEADLINE_EXCEEDED, COMMIT_UNKNOWN -> 504;
    };
  }
}
