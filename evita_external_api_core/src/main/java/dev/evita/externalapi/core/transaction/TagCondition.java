// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import org.jspecify.annotations.Nullable;

/** Conditional requests: lists of entity tags (RFC 9110, sections 8.8.3 and 13.1). */
public final class TagCondition {

  private static final String ANY = "*";

  private TagCondition() {}

  /**
   * Whether a condition, {@code If-None-Match} or {@code If-Match}, names a tag. The comparison is
   * weak, as a compressed response has a weak tag.
   *
   * @param condition a list of tags, or {@code *} for any; null if the header is absent. Text after
   *     a malformed tag is ignored
   * @param tag in its quotes, without {@code W/}
   */
  public static boolean matches(@Nullable String condition, String tag) {
    if (condition == null) {
      return false;
    }
    if (condition.strip().equals(ANY)) {
      return true;
    }
    var end = 0;
    while (true) {
      var start = condition.indexOf('"', end);
      end = condition.indexOf('"', start + 1) + 1;
      if (start < 0 || end == 0) {
        return false;
      }
      if (end - start == tag.length() && condition.startsWith(tag, start)) {
        return true;
      }
    }
  }
}
