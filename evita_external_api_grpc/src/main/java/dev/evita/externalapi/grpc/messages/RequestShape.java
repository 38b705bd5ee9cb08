// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a request without its values: requests of equal shapes have the same statement.
 *
 * @param method the called method
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below
public record RequestShape(Object method, byte[] bytes) {

  /**
   * A request as its shape and its values.
   *
   * @param values in the order of the request, of protobuf's classes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Split(RequestShape shape, Object[] values) {}

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestShape shape
        && method.equals(shape.method)
        && Arrays.equals(bytes, shape.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * method.hashCode() + Arrays.hashCode(bytes);
  }
}
