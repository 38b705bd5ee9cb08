// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import java.util.concurrent.TimeUnit;

/** The header {@code grpc-timeout}: up to eight digits and a unit. */
public final class GrpcTimeout {

  private static final int MAX_DIGITS = 8;

  private GrpcTimeout() {}

  /** Returns the timeout in nanoseconds; negative if the text is not one. */
  public static long nanos(String text) {
    var digits = text.length() - 1;
    if (digits < 1 || digits > MAX_DIGITS) {
      return -1;
    }
    var amount = 0L;
    for (int i = 0; i < digits; i++) {
      var digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      amount = 10 * amount + digit;
    }
    return switch (text.charAt(digits)) {
      case 'H' -> TimeUnit.HOURS.toNanos(amount);
      case 'M' -> TimeUnit.MINUTES.toNanos(amount);
      case 'S' -> TimeUnit.SECONDS.toNanos(amount);
      case 'm' -> TimeUnit.MILLISECONDS.toNanos(amount);
      case 'u' -> TimeUnit.MICROSECONDS.toNanos(amount);
      case 'n' -> amount;
      default -> -1;
    };
  }
}
