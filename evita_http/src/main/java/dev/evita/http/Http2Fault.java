// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

/** A connection error (RFC 9113, section 5.4.1): ends the connection with GOAWAY. */
final class Http2Fault extends Exception {

  private static final long serialVersionUID = 1L;

  private final Http2Error error;

  /**
   * Creates a fault without a stack trace, as any client can cause one.
   *
   * @param message debug data of the GOAWAY frame, in ASCII
   */
  Http2Fault(Http2Error error, String message) {
    super(message, null, false, false);
    this.error = error;
  }

  Http2Error error() {
    return error;
  }
}
