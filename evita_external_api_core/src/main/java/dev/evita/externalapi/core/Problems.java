// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;

/** Error codes as HTTP status and problem document (RFC 9457): the one place that knows both. */
public final class Problems {

  /** The media type of problem documents. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private Problems() {}

  /** The HTTP status of a code. */
  public static int status(ErrorCode code) {
    return switch (code) {
      case MALFORMED_REQUEST,
          INVALID_DOCUMENT,
          INVALID_VALUE,
          INVALID_OPERATION,
          UNKNOWN_COLUMN,
          UNKNOWN_ROUTINE,
          UNSUPPORTED_OPERATION,
          TOO_DEEP,
          TOO_MANY_ROWS,
          ANSWER_TOO_LARGE,
          TOO_MANY_ALIASES,
          TOO_MANY_ROOT_FIELDS,
          TOO_COSTLY,
          BATCH_TOO_LARGE,
          INTROSPECTION_DISABLED,
          PERSISTED_QUERY_NOT_FOUND,
          PERSISTED_QUERY_HASH_MISMATCH,
          PERSISTED_QUERY_NOT_SUPPORTED,
          CHECK_VIOLATION,
          NOT_NULL_VIOLATION,
          VALUE_TOO_LONG,
          VALUE_OUT_OF_RANGE,
          INVALID_DATA,
          RAISED,
          INVALID_SCRIPT,
          INVALID_CONFIGURATION ->
          400;
      case READ_ONLY, DOCUMENT_NOT_TRUSTED, ORIGIN_NOT_ALLOWED, PERMISSION_DENIED -> 403;
      case NOT_FOUND, UNKNOWN_TABLE -> 404;
      case METHOD_NOT_ALLOWED -> 405;
      case NOT_ACCEPTABLE -> 406;
      case REQUEST_TIMEOUT -> 408;
      case UNIQUE_VIOLATION,
          FOREIGN_KEY_VIOLATION,
          SERIALIZATION_FAILURE,
          TRANSACTION_CLOSED,
          ALREADY_STARTED,
          ADDRESS_IN_USE ->
          409;
      case PRECONDITION_FAILED -> 412;
      case BODY_TOO_LARGE -> 413;
      case URL_TOO_LONG -> 414;
      case UNSUPPORTED_MEDIA_TYPE -> 415;
      case HOST_NOT_ALLOWED -> 421;
      case IDEMPOTENCY_KEY_REUSED -> 422;
      case HEADERS_TOO_LARGE -> 431;
      case CLIENT_GONE -> 499;
      case INTERNAL, STORED_VALUE_INVALID, DATABASE_ERROR -> 500;
      case DATABASE_UNREACHABLE,
          STORAGE_FAILED,
          OVERLOADED,
          TOO_MANY_CONNECTIONS,
          TOO_MANY_SUBSCRIPTIONS,
          POOL_EXHAUSTED,
          CLIENT_TOO_SLOW,
          SHUTTING_DOWN,
          CANCELLED,
          CATALOG_CHANGED ->
          503;
      case DEADLINE_EXCEEDED, COMMIT_UNKNOWN -> 504;
    };
  }

  static void answer(Exchange exchange, Throwable failure) {
    var problem = exchange.report(failure);
    answer(exchange, status(problem.code()), problem);
  }

  /** The same with a status that says more than the code does. */
  static void answer(Exchange exchange, int status, EvitaException problem) {
    if (exchange.committed()) {
      abort(exchange);
      return;
    }
    if (status == 503) {
      // The same request may well succeed a little later.
      exchange.responseHeader("Retry-After", "1");
    }
    var body = exchange.respond(status, MEDIA_TYPE);
    write(body.json(), status, problem);
    body.end();
  }

  /** The problem document. */
  static void write(JsonWriter json, int status, EvitaException problem) {
    json.raw("{\"type\":\"about:blank\",\"title\":");
    json.string(title(status));
    json.raw(",\"status\":").number(status);
    json.raw(",\"code\":\"" + problem.code().name() + "\",\"detail\":");
    json.string(problem.publicMessage());
    json.raw('}');
  }

  private static void abort(Exchange exchange) {
    var body = exchange.responseBody();
    if (body == null) {
      exchange.abort();
    } else {
      body.abort();
    }
  }

  static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 406 -> "Not Acceptable";
      case 408 -> "Request Timeout";
      case 409 -> "Conflict";
      case 412 -> "Precondition Failed";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 415 -> "Unsupported Media Type";
      case 417 -> "Expectation Failed";
      case 421 -> "Misdirected Request";
      case 422 -> "Unprocessable Content";
      case 426 -> "Upgrade Required";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 501 -> "Not Implemented";
      case 502 -> "Bad Gateway";
      case 503 -> "Service Unavailable";
      case 504 -> "Gateway Timeout";
      case 505 -> "HTTP Version Not Supported";
      default -> "Error";
    };
  }
}
