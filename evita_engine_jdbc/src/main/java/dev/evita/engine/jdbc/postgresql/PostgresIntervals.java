// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts intervals to ISO-8601 text from PostgreSQL's default form, {@code 1 year 2 mons -3 days
 * +04:05:06.7}, which a session has if its {@code intervalstyle} cannot be set.
 */
final class PostgresIntervals {

  private static final Pattern DEFAULT_FORM =
      Pattern.compile(
          "(?:(-?\\d+) years? ?)?(?:([-+]?\\d+) mons? ?)?(?:([-+]?\\d+) days? ?)?"
              + "(?:([-+]?)(\\d+):(\\d\\d):(\\d\\d)(\\.\\d+)?)?");

  private PostgresIntervals() {}

  /** Returns the interval as the server formats it with {@code intervalstyle = iso_8601}. */
  static String iso(String text) {
    var fields = DEFAULT_FORM.matcher(text);
    if (text.startsWith("P") || !fields.matches()) {
      return text;
    }
    var iso = new StringBuilder("P");
    append(iso, "", fields.group(1), 'Y');
    append(iso, "", fields.group(2), 'M');
    append(iso, "", fields.group(3), 'D');
    var sign = "-".equals(fields.group(4)) ? "-" : "";
    var time = new StringBuilder();
    append(time, sign, fields.group(5), 'H');
    append(time, sign, fields.group(6), 'M');
    var fraction = fields.group(8) == null ? "" : fields.group(8);
    if (isNumber(fields.group(7)) || !fraction.isEmpty()) {
      time.append(sign).append(Integer.parseInt(fields.group(7))).append(fraction).append('S');
    }
    if (!time.isEmpty()) {
      iso.append('T').append(time);
    }
    return iso.length() == 1 ? "PT0S" : iso.toString();
  }

  private static void append(StringBuilder iso, String sign, @Nullable String number, char unit) {
    if (isNumber(number)) {
      iso.append(sign).append(Long.parseLong(number)).append(unit);
    }
  }

  /** Whether the field is present, and not zero. */
  private static boolean isNumber(@Nullable String text) {
    return text != null && Long.parseLong(text) != 0;
  }
}
