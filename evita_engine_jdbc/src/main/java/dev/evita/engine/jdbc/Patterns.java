// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

/**
 * Brings the contract's patterns ({@code %}, {@code _}, escaped by a backslash) into the form of an
 * operator, so that every database reads them the same: a backslash before any other character
 * stands for that character, one at the end for itself.
 */
final class Patterns {

  private static final char ESCAPE = '\\';

  private Patterns() {}

  /** For {@code LIKE ... ESCAPE '\'}, where H2 and PostgreSQL reject needless escapes. */
  static String like(String pattern) {
    if (pattern.indexOf(ESCAPE) < 0) {
      return pattern;
    }
    var result = new StringBuilder(pattern.length() + 1);
    for (int i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      if (c != ESCAPE) {
        result.append(c);
        continue;
      }
      var escaped = i + 1 < pattern.length() ? pattern.charAt(++i) : ESCAPE;
      if (escaped == '%' || escaped == '_' || escaped == ESCAPE) {
        result.append(ESCAPE);
      }
      result.append(escaped);
    }
    return result.toString();
  }

  /**
   * For SQLite's {@code GLOB}, which tells upper from lower case where its {@code LIKE} does not.
   */
  static String glob(String pattern) {
    var result = new StringBuilder(pattern.length() + 8);
    for (int i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      switch (c) {
        case '%' -> result.append('*');
        case '_' -> result.append('?');
        case ESCAPE -> literal(result, i + 1 < pattern.length() ? pattern.charAt(++i) : ESCAPE);
        default -> literal(result, c);
      }
    }
    return result.toString();
  }

  private static void literal(StringBuilder result, char c) {
    if (c == '*' || c == '?' || c == '[') {
      result.append('[').append(c).append(']');
    } else {
      result.append(c);
    }
  }
}
