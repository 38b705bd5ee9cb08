// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

/** Writes numbers digit by digit, without loss. */
final class JsonNumbers {

  /** The most bytes of a number written here: nineteen digits, sign, point and a leading zero. */
  static final int LONGEST = 22;

  /** The number of digits that always fit a long. */
  static final int LONG_DIGITS = 18;

  private static final long LARGEST_POWER = 1_000_000_000_000_000_000L;

  private static final int THOUSAND = 1_000;
  private static final double SMALLEST_SHORT = 1e-3;
  private static final double LARGEST_SHORT = 1e7;

  private JsonNumbers() {}

  /**
   * Whether a number has at most three decimal places, as most stored numbers do. The quotient of
   * two whole numbers is rounded once, so the number is the double closest to these places; and as
   * no two decimals of fifteen digits share their closest {@code double}, they are the digits that
   * {@link Double#toString} finds with more effort.
   */
  static boolean isShort(double value) {
    var size = Math.abs(value);
    return size >= SMALLEST_SHORT
        && size < LARGEST_SHORT
        && Math.rint(value * THOUSAND) / THOUSAND == value;
  }

  /**
   * Writes a number that {@link #isShort}, in the form of {@link Double#toString}.
   *
   * @param into with room for {@link #LONGEST} bytes
   * @return the position after it
   */
  static int shortDecimal(double value, byte[] into, int start) {
    var end = decimal((long) Math.rint(value * THOUSAND), 3, into, start);
    while (into[end - 1] == '0' && into[end - 2] != '.') {
      end--;
    }
    return end;
  }

  /**
   * Writes a whole number.
   *
   * @param into with room for {@link #LONGEST} bytes
   * @return the position after it
   */
  static int whole(long value, byte[] into, int start) {
    if (value == Long.MIN_VALUE) {
      return whole(value % 10 * -1, into, whole(value / 10, into, start));
    }
    var position = sign(value, into, start);
    var rest = Math.abs(value);
    var end = position + digits(rest);
    digits(rest, into, end);
    return end;
  }

  /**
   * Writes {@code unscaled} divided by ten to the power of the scale, with all its digits.
   *
   * @param unscaled has at most {@link #LONG_DIGITS} digits
   * @param scale from 1 to less than {@link #LONG_DIGITS}
   * @param into with room for {@link #LONGEST} bytes
   * @return the position after it
   */
  static int decimal(long unscaled, int scale, byte[] into, int start) {
    var position = sign(unscaled, into, start);
    var rest = Math.abs(unscaled);
    var end = position + Math.max(digits(rest), scale + 1) + 1;
    var at = end;
    for (int fraction = scale; fraction > 0; fraction--) {
      into[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    into[--at] = '.';
    digits(rest, into, at);
    return end;
  }

  private static int sign(long value, byte[] into, int position) {
    if (value < 0) {
      into[position] = '-';
      return position + 1;
    }
    return position;
  }

  private static void digits(long value, byte[] into, int end) {
    var at = end;
    var rest = value;
    do {
      into[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
  }

  private static int digits(long value) {
    var digits = 1;
    for (var power = 10L; digits < LONG_DIGITS && value >= power; power *= 10) {
      digits++;
    }
    return value >= LARGEST_POWER ? digits + 1 : digits;
  }
}
