// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.error.HttpStatuses;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Problems;
import dev.evita.externalapi.core.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Failures as problem documents (RFC 9457) that have PostgREST's members as well: {@code code},
 * {@code message}, {@code details}, {@code hint}. The code is PostgREST's or the SQLSTATE where
 * there is one, since clients depend on it; {@code error} is the server's own, the same in all
 * protocols. A failure in a batch also names the {@code request} in it.
 */
public final class RestProblems {

  private RestProblems() {}

  /**
   * Responds with the failure, or restarts the request if the schema changed meanwhile; closes the
   * connection if a part of another response has already been sent.
   */
  public static void send(Exchange exchange, Throwable failure) {
    send(exchange, failure, null);
  }

  /**
   * Responds with the failure of a request of a batch.
   *
   * @param place the request of a batch that failed; null where there is none
   */
  public static void send(Exchange exchange, Throwable failure, @Nullable String place) {
    if (!(failure instanceof RestFailure)) {
      if (EvitaException.from(failure).code() == ErrorCode.CATALOG_CHANGED
          && exchange.work().restart()) {
        return;
      }
      if (exchange.response().hasLeft()) {
        exchange.fail(failure);
        return;
      }
    }
    var refused = refused(exchange, failure);
    var allow = allow(exchange, refused);
    if (allow != null) {
      exchange.response().header("Allow", allow);
    }
    var body = exchange.response().respond(refused.status(), Problems.MEDIA_TYPE);
    write(body.json(), refused, place);
    body.end();
  }

  /** The supported methods; null where the router has already set them, or any will do. */
  private static @Nullable String allow(Exchange exchange, RestFailure refused) {
    if (refused.error() != ErrorCode.READ_ONLY) {
      return refused.allow();
    }
    return switch (exchange.request().method()) {
      case "GET", "HEAD", "QUERY" -> "POST"; // a routine that writes
      default -> "GET, HEAD, QUERY";
    };
  }

  /** Returns the problem document alone. */
  public static byte[] document(Exchange exchange, Throwable failure) {
    var json = JsonWriter.inMemory();
    write(json, refused(exchange, failure), null);
    return json.take();
  }

  private static RestFailure refused(Exchange exchange, Throwable failure) {
    if (failure instanceof RestFailure refused) {
      return refused;
    }
    var problem = exchange.work().report(failure);
    return new RestFailure(
        status(problem.code()),
        problem.code(),
        code(problem.code()),
        problem.publicMessage(),
        problem.details(),
        problem.hint());
  }

  /** Returns PostgREST's code for a SQLSTATE that the other protocols report differently. */
  private static int status(EvitaException.Code code) {
    return code == ErrorCode.READ_ONLY ? 405 : HttpStatuses.of(code);
  }

  private static void write(JsonWriter json, RestFailure refused, @Nullable String place) {
    json.raw("{\"type\":\"about:blank\",\"status\":").number(refused.status());
    json.raw(",\"error\":");
    json.string(refused.error().name());
    json.raw(",\"code\":");
    json.string(refused.code());
    json.raw(",\"message\":");
    json.string(String.valueOf(refused.getMessage()));
    json.raw(",\"details\":");
    nullable(json, refused.details());
    json.raw(",\"hint\":");
    nullable(json, refused.hint());
    if (place != null) {
      json.raw(",\"request\":");
      json.string(place);
    }
    json.raw('}');
  }

  private static void nullable(JsonWriter json, @Nullable String text) {
    if (text == null) {
      json.nullValue();
    } else {
      json.string(text);
    }
  }

  /**
   * Returns the SQLSTATE, or PostgREST's own code, that clients expect; else the name of the error
   * code.
   */
  static String code(EvitaException.Code code) {
    return switch (code) {
      case HttpErrorCode.MALFORMED_REQUEST -> "PGRST100";
      case HttpErrorCode.NOT_FOUND -> "PGRST125";
      case HttpErrorCode.NOT_ACCEPTABLE -> "PGRST107";
      case HttpErrorCode.METHOD_NOT_ALLOWED -> "PGRST117";
      case ErrorCode engine -> code(engine);
      default -> code.name();
    };
  }

  private static String code(ErrorCode code) {
    return switch (code) {
      case UNKNOWN_TABLE -> "PGRST205";
      case UNKNOWN_COLUMN -> "42703";
      case UNKNOWN_ROUTINE -> "PGRST202";
      case INVALID_VALUE, INVALID_DATA -> "22P02";
      case VALUE_OUT_OF_RANGE -> "22003";
      case VALUE_TOO_LONG -> "22001";
      case UNIQUE_VIOLATION -> "23505";
      case FOREIGN_KEY_VIOLATION -> "23503";
      case NOT_NULL_VIOLATION -> "23502";
      case CHECK_VIOLATION -> "23514";
      case SERIALIZATION_FAILURE -> "40001";
      case UNSUPPORTED_OPERATION -> "0A000";
      case RAISED -> "P0001";
      case READ_ONLY -> "25006";
      case PERMISSION_DENIED -> "42501";
      case DEADLINE_EXCEEDED, CANCELLED -> "57014";
      case DATABASE_UNREACHABLE -> "PGRST000";
      case COMMIT_UNKNOWN -> "08007";
      case STORAGE_FAILED -> "58030";
      case POOL_EXHAUSTED -> "PGRST003";
      default -> code.name();
    };
  }
}
