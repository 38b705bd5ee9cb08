// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * The rejection of a request, with more detail than the shared codes have: PostgREST's own code,
 * details and a hint.
 */
public final class RestFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final int LONGEST = 80;

  private final int status;
  private final EvitaException.Code error;
  private final String code;
  private final @Nullable String details;
  private final @Nullable String hint;
  private final @Nullable String allow;

  public RestFailure(
      int status,
      EvitaException.Code error,
      String code,
      String message,
      @Nullable String details,
      @Nullable String hint) {
    this(status, error, code, message, details, hint, null);
  }

  private RestFailure(
      int status,
      EvitaException.Code error,
      String code,
      String message,
      @Nullable String details,
      @Nullable String hint,
      @Nullable String allow) {
    super(message, null, false, false); // a client error needs no stack trace and must be cheap
    this.status = status;
    this.error = error;
    this.code = code;
    this.details = details;
    this.hint = hint;
    this.allow = allow;
  }

  /**
   * A method that the resource does not support.
   *
   * @param allow the supported methods, as the header {@code Allow} lists them (RFC 9110, section
   *     10.2.1)
   */
  public static RestFailure notAllowed(
      String code, String message, @Nullable String hint, String allow) {
    return new RestFailure(405, HttpErrorCode.METHOD_NOT_ALLOWED, code, message, null, hint, allow);
  }

  /** A URL or header that does not follow its grammar. */
  public static RestFailure malformed(String message) {
    return new RestFailure(400, HttpErrorCode.MALFORMED_REQUEST, "PGRST100", message, null, null);
  }

  /** A construct that is valid in the grammar but not supported by this engine. */
  public static RestFailure unsupported(String message, @Nullable String hint) {
    return new RestFailure(400, ErrorCode.UNSUPPORTED_OPERATION, "0A000", message, null, hint);
  }

  int status() {
    return status;
  }

  EvitaException.Code error() {
    return error;
  }

  String code() {
    return code;
  }

  @Nullable String details() {
    return details;
  }

  @Nullable String hint() {
    return hint;
  }

  /** The supported methods; null where they are known elsewhere. */
  @Nullable String allow() {
    return allow;
  }

  /** Truncates a client's text to the length that a message can hold. */
  public static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
