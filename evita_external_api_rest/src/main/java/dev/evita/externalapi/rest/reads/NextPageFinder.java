// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Row;
import dev.evita.externalapi.rest.request.QueryText;
import dev.evita.externalapi.rest.request.ReadQuery;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Determines, row by row, the start of the next page. Used by one thread at a time. */
final class NextPageFinder {

  /** Longer pages are streamed and carry no link to the next page. */
  static final int LONGEST_BYTES = 1 << 20;

  private final Keyset keyset;
  private final long length;
  private @Nullable String last;
  private boolean more;

  /**
   * @param length the number of rows of a page
   */
  NextPageFinder(Keyset keyset, long length) {
    this.keyset = keyset;
    this.length = length;
  }

  /**
   * Inspects a row, given the number of rows before it.
   *
   * @return false if it is beyond this page: no further row is needed
   */
  boolean shows(Row row, long before) {
    if (before == length - 1) {
      last = keyset.cursor(row);
    }
    more = before >= length;
    return !more;
  }

  /**
   * Returns the header {@code Link} (RFC 8288); null where there is no other page.
   *
   * @param query of this page, as it was sent
   */
  @Nullable String link(String path, String query) {
    if (!more || last == null) {
      return null;
    }
    var parts = new ArrayList<String>();
    var limited = false;
    for (var part : query.split("&", -1)) {
      var equals = part.indexOf('=');
      var name = QueryText.path(equals < 0 ? part : part.substring(0, equals));
      if (!part.isEmpty() && !name.equals("offset") && !name.equals(ReadQuery.AFTER)) {
        parts.add(part);
        limited |= name.equals("limit");
      }
    }
    if (!limited) {
      parts.add("limit=" + length); // the range was given by a header
    }
    parts.add(ReadQuery.AFTER + "=" + last);
    return "<" + QueryText.escapedPath(path) + "?" + String.join("&", parts) + ">; rel=\"next\"";
  }
}
