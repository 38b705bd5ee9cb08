// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.ProtocolErrorCode;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.work.Response;
import dev.evita.http.HttpFault;

/** Maps error codes to HTTP statuses and problem documents (RFC 9457). */
public final class Problems {

  /** The media type of problem documents. */
  public static final String MEDIA_TYPE = HttpFault.MEDIA_TYPE;

  private Problems() {}

  /** The HTTP status of a code. */
  public static int status(EvitaException.Code code) {
    return switch (code) {
      case ProtocolErrorCode protocol -> protocol.status();
      case ErrorCode engine -> status(engine);
      default ->
          switch (code.category()) {
            case USER -> 400;
            case RESOURCES -> 503;
            case EXTERNAL, INTERNAL -> 500;
          };
    };
  }

  private static int status(ErrorCode code) {
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

  static void send(Response response, Throwable failure) {
    var problem = response.work().report(failure);
    send(response, status(problem.code()), problem);
  }

  /** The same with a status that is more specific than the code's. */
  static void send(Response response, int status, EvitaException problem) {
    if (response.hasLeft()) {
      response.abort();
      return;
    }
    var body = response.respond(status, MEDIA_TYPE);
    write(body.json(), status, problem);
    body.end();
  }

  /** Writes the problem document. */
  static void write(JsonWriter json, int status, EvitaException problem) {
    json.raw("{\"type\":\"about:blank\",\"title\":");
    json.string(HttpFault.reason(status));
    json.raw(",\"status\":").number(status);
    json.raw(",\"code\":\"" + problem.code().name() + "\",\"detail\":");
    json.string(problem.publicMessage());
    json.raw('}');
  }
}
