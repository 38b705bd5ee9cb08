// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats dates of header fields (RFC 9110, section 5.6.7). */
final class HttpDate {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HttpDate() {}

  static String of(Instant instant) {
    return FORMAT.format(instant);
  }
}
