// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.files;

import org.jspecify.annotations.Nullable;

/**
 * A range of bytes (RFC 9110, section 14.1.2).
 *
 * @param first zero-based
 * @param length 0 if no byte of the file is in it
 */
record ByteRange(long first, long length) {

  private static final String UNIT = "bytes=";
  private static final int MAX_DIGITS = 18;

  private static boolean isNumber(String text) {
    return text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Null for no range, or several: the whole file is sent then. */
  static @Nullable ByteRange parse(@Nullable String header, long size) {
    var form = header == null ? "" : header.strip();
    var dash = form.indexOf('-');
    if (!form.startsWith(UNIT) || dash < UNIT.length()) {
      return null;
    }
    var from = form.substring(UNIT.length(), dash);
    var to = form.substring(dash + 1);
    if (!isNumber(from) || !isNumber(to) || (from + to).isEmpty()) {
      return null;
    }
    if (from.isEmpty()) {
      var last = Math.min(Long.parseLong(to), size);
      return new ByteRange(size - last, last);
    }
    var first = Long.parseLong(from);
    var last = to.isEmpty() ? size - 1 : Long.parseLong(to);
    if (last < first && !to.isEmpty()) {
      return null;
    }
    return new ByteRange(first, Math.max(0, Math.min(last, size - 1) - first + 1));
  }

  boolean isEmpty() {
    return length == 0;
  }

  String header(long size) {
    return "bytes " + first + "-" + (first + length - 1) + "/" + size;
  }
}
