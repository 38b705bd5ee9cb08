// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.transaction.TagCondition;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entity tag of rows (RFC 9110, section 8.8.3): a hash of what is written of them. So it is
 * another exactly when the client would see something else, whoever wrote it, in any database.
 *
 * <p>An array of one row and the row as an object have the same hash, and different tags.
 */
public record EntityTag(long hash, RowFormat format) {

  /** Of a whole body in the format, which is all that was written. */
  static EntityTag of(RowFormat format, JsonWriter body) {
    var brackets = format.array() ? 1 : 0;
    return new EntityTag(body.hash(brackets, body.size() - brackets), format);
  }

  /** As the header has it. */
  public String text() {
    var hex = Long.toHexString(hash);
    return '"' + hex + format.tagSuffix() + '"';
  }

  /** Whether the client has just this (RFC 9110, section 13.1.2; the comparison is weak). */
  public boolean isAmong(@Nullable String ifNoneMatch) {
    return TagCondition.matches(ifNoneMatch, text());
  }

  /**
   * Whether the client knows the rows as they are (RFC 9110, section 13.1.1), in whatever format it
   * has read them: what matters to a writer is that nobody wrote in between.
   */
  public boolean isKnownBy(String ifMatch) {
    return Stream.of(RowFormat.values())
        .anyMatch(each -> TagCondition.matches(ifMatch, new EntityTag(hash, each).text()));
  }
}
