// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that a mistyped one was meant to be. */
final class SpellingSuggestion {

  private SpellingSuggestion() {}

  /** The candidate with the fewest edits, unless these are more than a third of the word. */
  static Optional<String> to(String word, Collection<String> candidates) {
    var most = Math.max(2, word.length() / 3);
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .filter(candidate -> distance(word, candidate) <= most);
  }

  /** The Levenshtein distance. */
  private static int distance(String a, String b) {
    var previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      var current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        var change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
