// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Row;
import dev.evita.externalapi.rest.request.QueryText;
import dev.evita.externalapi.rest.request.ReadQuery;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Finds out, row by row, where the page behind this one begins. Used by one thread at a time. */
final class NextPageFinder {

  /** Pages that are longer leave while they are read, and do not tell where the next one begins. */
  static final int LONGEST_BYTES = 1 << 20;

  private final Keyset keyset;
  private final long length;
  private @Nullable String last;
  private boolean more;

  /**
   * @param length how many rows a page has
   */
  NextPageFinder(Keyset keyset, long length) {
    this.keyset = keyset;
    this.length = length;
  }

  /**
   * Looks at a row, of which so many came before.
   *
   * @return false where it is not of this page: no other needs to come
   */
  boolean shows(Row row, long before) {
    if (before == length - 1) {
      last = keyset.cursor(row);
    }
    more = before >= length;
    return !more;
  }

  /**
   * The header {@code Link} (RFC 8288); null where there is no other page.
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
      parts.add("limit=" + length); // a header named the range
    }
    parts.add(ReadQuery.AFTER + "=" + last);
    return "<" + QueryText.escapedPath(path) + "?" + String.join("&", parts) + ">; rel=\"next\"";
  }
}
