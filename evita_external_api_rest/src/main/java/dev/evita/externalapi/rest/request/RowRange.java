// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rows by a {@code Range} header: {@code 0-9}, {@code 20-}.
 *
 * @param rows their number; null for all from the first on
 */
public record RowRange(long first, @Nullable Long rows) {

  private static final Pattern FORM = Pattern.compile("(?:items=)?([0-9]{1,18})-([0-9]{1,18})?");

  /**
   * Returns the range of a request. It is defined for {@code GET} (RFC 9110, section 14.2) and for
   * {@code QUERY}, whose responses are those of {@code GET}; requests of other methods have none.
   *
   * @param header of the name {@code Range}
   * @return null where there is none, or one that is not of this form
   * @throws RestFailure PGRST103 where it ends before it begins
   */
  public static @Nullable RowRange of(String method, @Nullable String header) {
    return method.equals("GET") || method.equals("QUERY") ? parse(header) : null;
  }

  private static @Nullable RowRange parse(@Nullable String header) {
    var matcher = header == null ? null : FORM.matcher(header);
    if (matcher == null || !matcher.matches()) {
      return null;
    }
    var first = Long.parseLong(matcher.group(1));
    if (matcher.group(2) == null) {
      return new RowRange(first, null);
    }
    var last = Long.parseLong(matcher.group(2));
    if (last < first) {
      throw notSatisfiable("The lower boundary must be lower than or equal to the upper boundary");
    }
    return new RowRange(first, last - first + 1);
  }

  /**
   * Returns the intersection with the given number of rows from an offset; both count from the
   * first row of all.
   *
   * @throws RestFailure PGRST103 where there are none
   */
  RowRange within(long offset, long limit) {
    var start = Math.max(first, offset);
    var end = Math.min(end(first, rows == null ? Long.MAX_VALUE : rows), end(offset, limit));
    if (end <= start && limit > 0) {
      throw notSatisfiable("The Range header has none of the rows that limit and offset name");
    }
    return new RowRange(start, end == Long.MAX_VALUE ? null : Math.max(0, end - start));
  }

  private static long end(long start, long count) {
    return count > Long.MAX_VALUE - start ? Long.MAX_VALUE : start + count;
  }

  /** 416 (RFC 9110, section 15.5.17). */
  static RestFailure notSatisfiable(String details) {
    return new RestFailure(
        416,
        HttpErrorCode.MALFORMED_REQUEST,
        "PGRST103",
        "Requested range not satisfiable",
        details,
        null);
  }
}
