// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.error.HttpStatuses;
import dev.evita.externalapi.core.work.Response;

/** Responses that consist of errors alone. */
public final class ErrorResponse {

  /** The media type of responses whose status is 200 regardless of the document. */
  public static final String JSON_UTF8 = "application/json; charset=utf-8";

  private ErrorResponse() {}

  /**
   * Responds with errors alone. With {@code application/json} the status of a well-formed request
   * is always 200; with {@code application/graphql-response+json} the status reflects the error,
   * too (GraphQL over HTTP, section 6.4).
   */
  public static void send(Response response, String contentType, Throwable failure) {
    var errors = GraphQlError.all(failure, response.work().faults());
    var code = errors.getFirst().code();
    if (code == ErrorCode.CATALOG_CHANGED && response.work().restart()) {
      return;
    }
    var status = aboutDocument(code) && contentType.equals(JSON_UTF8) ? 200 : HttpStatuses.of(code);
    if (status == 405 && failure instanceof RequestError) {
      response.header("Allow", "POST"); // a mutation by GET
    }
    var body = response.respond(status, contentType);
    GraphQlError.writeResponse(body.json(), errors);
    body.end();
  }

  /** Whether the request was well-formed, and its document or operation is invalid. */
  private static boolean aboutDocument(EvitaException.Code code) {
    return switch (code) {
      case HttpErrorCode.MALFORMED_REQUEST,
          HttpErrorCode.METHOD_NOT_ALLOWED,
          HttpErrorCode.NOT_ACCEPTABLE,
          HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
          HttpErrorCode.BODY_TOO_LARGE,
          HttpErrorCode.URL_TOO_LONG,
          HttpErrorCode.REQUEST_TIMEOUT,
          HttpErrorCode.HOST_NOT_ALLOWED,
          HttpErrorCode.ORIGIN_NOT_ALLOWED,
          HttpErrorCode.BATCH_TOO_LARGE,
          HttpErrorCode.IDEMPOTENCY_KEY_REUSED,
          GraphQlErrorCode.PERSISTED_QUERY_HASH_MISMATCH ->
          false;
      default -> code.category() == ErrorCode.Category.USER;
    };
  }
}
