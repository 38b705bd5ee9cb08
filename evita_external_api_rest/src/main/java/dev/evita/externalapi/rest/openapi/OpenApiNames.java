// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Makes names that are legal in every generator's language, and unique whatever their case, as
 * files and classes are named after them. Deterministic: the same names in the same order yield the
 * same result. Not thread-safe.
 */
final class OpenApiNames {

  private static final int ASCII = 0x80;

  private final Set<String> taken = new HashSet<>();

  /** Returns a unique name, such as {@code ProductTags} for {@code product_tags}. */
  String unique(String name) {
    var word = word(name);
    var candidate = word;
    for (int i = 2; !taken.add(candidate.toLowerCase(Locale.ROOT)); i++) {
      candidate = word + i;
    }
    return candidate;
  }

  private static String word(String name) {
    var word = new StringBuilder();
    var upper = true;
    for (var point : Normalizer.normalize(name, Normalizer.Form.NFD).codePoints().toArray()) {
      if (Character.isLetterOrDigit(point)) {
        upper = append(word, point, upper);
      } else {
        // an accent, which belongs to the letter before it, begins no word
        upper |= Character.getType(point) != Character.NON_SPACING_MARK;
      }
    }
    return word.isEmpty() || Character.isDigit(word.charAt(0)) ? "N" + word : word.toString();
  }

  private static boolean append(StringBuilder word, int point, boolean upper) {
    if (point >= ASCII) {
      word.append('U').append(Integer.toHexString(point));
      return true;
    }
    word.append((char) (upper ? Character.toUpperCase(point) : point));
    return false;
  }
}
