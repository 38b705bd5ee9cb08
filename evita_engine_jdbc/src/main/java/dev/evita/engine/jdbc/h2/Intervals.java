// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.Locale;
import org.h2.api.Interval;
import org.h2.api.IntervalQualifier;

/**
 * Formats and parses H2's intervals as ISO-8601 text. H2 stores either years and months or days to
 * seconds.
 */
final class Intervals {

  private static final long NANOS = 1_000_000_000L;

  private Intervals() {}

  static String format(Interval interval) {
    var sign = interval.isNegative() ? "-" : "";
    var text = new StringBuilder("P");
    append(text, sign, Math.abs(interval.getYears()), "Y");
    append(text, sign, Math.abs(interval.getMonths()), "M");
    append(text, sign, Math.abs(interval.getDays()), "D");
    var time = new StringBuilder();
    append(time, sign, Math.abs(interval.getHours()), "H");
    append(time, sign, Math.abs(interval.getMinutes()), "M");
    var nanos = Math.abs(interval.getSecondsAndNanos());
    if (nanos != 0) {
      var seconds = BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
      time.append(sign).append(seconds).append('S');
    }
    if (!time.isEmpty()) {
      text.append('T').append(time);
    }
    return text.length() == 1 ? "PT0S" : text.toString();
  }

  private static void append(StringBuilder text, String sign, long value, String unit) {
    if (value != 0) {
      text.append(sign).append(value).append(unit);
    }
  }

  /**
   * Parses an interval in the fields of the column.
   *
   * @param nativeType {@code INTERVAL} and a qualifier such as {@code DAY TO SECOND}
   * @throws EvitaException {@code INVALID_VALUE} for another text or fields that the column lacks
   */
  static Interval parse(String text, String nativeType, String where) {
    try {
      var qualifier = nativeType.replaceFirst("^INTERVAL ", "").replaceAll("\\(.*?\\)", "");
      var upper = text.toUpperCase(Locale.ROOT);
      return qualifier.contains("YEAR") || qualifier.contains("MONTH")
          ? months(Period.parse(upper))
          : seconds(Duration.parse(upper));
    } catch (DateTimeException | ArithmeticException e) {
      throw new EvitaException(
          ErrorCode.INVALID_VALUE,
          "'%s' is not valid for %s; expected %s in the fields of %s"
              .formatted(text, where, Values.expected(DataType.Scalar.INTERVAL), nativeType));
    }
  }

  @SuppressWarnings("JavaPeriodGetDays") // that field must be zero
  private static Interval months(Period period) {
    if (period.getDays() != 0) {
      throw new DateTimeException("days");
    }
    var months = period.toTotalMonths();
    var absolute = Math.abs(months);
    return new Interval(IntervalQualifier.YEAR_TO_MONTH, months < 0, absolute / 12, absolute % 12);
  }

  private static Interval seconds(Duration duration) {
    var absolute = duration.abs();
    var nanosOfDay =
        Math.addExact(absolute.toSecondsPart() * NANOS, absolute.toNanosPart())
            + (absolute.toHoursPart() * 3600L + absolute.toMinutesPart() * 60L) * NANOS;
    return new Interval(
        IntervalQualifier.DAY_TO_SECOND, duration.isNegative(), absolute.toDays(), nanosOfDay);
  }
}
