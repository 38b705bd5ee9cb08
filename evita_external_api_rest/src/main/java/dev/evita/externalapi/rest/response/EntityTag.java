// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.transaction.TagCondition;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entity tag of rows (RFC 9110, section 8.8.3): a hash of their rendering. It changes exactly
 * when the client would see a different result, whichever client or application wrote the rows, on
 * any database.
 *
 * <p>An array of one row and the row as an object have the same hash, and different tags.
 */
public record EntityTag(long hash, RowFormat format) {

  /** Returns the tag of a whole body in the format. */
  static EntityTag of(RowFormat format, JsonWriter body) {
    var brackets = format.array() ? 1 : 0;
    return new EntityTag(body.hash(brackets, body.size() - brackets), format);
  }

  /** The tag as a header value. */
  public String text() {
    var hex = Long.toHexString(hash);
    return '"' + hex + format.tagSuffix() + '"';
  }

  /**
   * Whether the client has this representation (RFC 9110, section 13.1.2; the comparison is weak).
   */
  public boolean isAmong(@Nullable String ifNoneMatch) {
    return TagCondition.matches(ifNoneMatch, text());
  }

  /**
   * Whether the client has read the current rows (RFC 9110, section 13.1.1), in any format: a
   * conditional write only requires that the rows have not been changed since.
   */
  public boolean isKnownBy(String ifMatch) {
    return Stream.of(RowFormat.values())
        .anyMatch(each -> TagCondition.matches(ifMatch, new EntityTag(hash, each).text()));
  }
}
