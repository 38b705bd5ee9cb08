// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a request's body.
 *
 * @param bytes owned by the server and reused for other requests
 * @param length the number of bytes that belong to the body
 */
public record RequestBody(byte[] bytes, int length) {

  /** No body. */
  public static final RequestBody EMPTY = new RequestBody(new byte[0], 0);

  /** Copies the body to an array of its own. */
  RequestBody copy() {
    return new RequestBody(Arrays.copyOf(bytes, length), length);
  }

  /** Decodes the body to a string. */
  public String text() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
