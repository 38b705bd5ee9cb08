// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

/**
 * The reason why the transport rejects a request.
 *
 * @param status of the response
 * @param code a stable name for programs, such as {@code HEADERS_TOO_LARGE}
 * @param detail for people: the fault and the expected form
 * @param headValid whether method and path are reliable; if not, the response must not depend on
 *     them
 */
public record HttpFault(int status, String code, String detail, boolean headValid) {

  /** The media type of {@link #document}. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** The code of a request that violates HTTP. */
  static final String MALFORMED_REQUEST = "MALFORMED_REQUEST";

  /** The problem document (RFC 9457). */
  String document() {
    return "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"code\":\"%s\",\"detail\":\"%s\"}"
        .formatted(
            reason(status), status, code, detail.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /** The reason phrase of a status (RFC 9110, section 15). */
  public static String reason(int status) {
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
      case 416 -> "Range Not Satisfiable";
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
