// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a request's body.
 *
 * @param bytes owned by the host and used again for other requests
 * @param length how many of them belong to the body
 */
public record RequestBody(byte[] bytes, int length) {

  /** No body. */
  public static final RequestBody EMPTY = new RequestBody(new byte[0], 0);

  /** The same in an array of its own. */
  RequestBody copy() {
    return new RequestBody(Arrays.copyOf(bytes, length), length);
  }

  /** Copies it to a text. */
  public String text() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
