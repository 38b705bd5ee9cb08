// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.files;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of bytes (RFC 9110, section 14.1.2).
 *
 * @param first zero-based
 * @param length 0 if no byte of the file is in it
 */
record ByteRange(long first, long length) {

  private static final Pattern FORM = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

  /** Null for no range, or several: the whole file is sent then. */
  static @Nullable ByteRange parse(@Nullable String header, long size) {
    var form = header == null ? null : FORM.matcher(header.strip());
    if (form == null || !form.matches() || (form.group(1) + form.group(2)).isEmpty()) {
      return null;
    }
    if (form.group(1).isEmpty()) {
      var last = Math.min(Long.parseLong(form.group(2)), size);
      return new ByteRange(size - last, last);
    }
    var first = Long.parseLong(form.group(1));
    var last = form.group(2).isEmpty() ? size - 1 : Long.parseLong(form.group(2));
    if (last < first && !form.group(2).isEmpty()) {
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
