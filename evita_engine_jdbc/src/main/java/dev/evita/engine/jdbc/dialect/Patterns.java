// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import java.util.ArrayList;
import java.util.List;

/**
 * Brings the contract's patterns ({@code %}, {@code _}, escaped by a backslash) into the form of an
 * operator, so that every database reads them the same: a backslash before any other character
 * stands for that character, one at the end for itself.
 */
public final class Patterns {

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
  public static String glob(String pattern) {
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

  /**
   * As a regular expression of {@code java.util.regex} that is matched in a time that grows with
   * the length of the text times that of the pattern.
   *
   * <p>What stands between two {@code %} is taken where it first occurs and never looked for again:
   * as all of its characters are of fixed width, a later place could not help what follows.
   */
  public static String regex(String pattern, boolean ignoreCase) {
    var result = new StringBuilder(ignoreCase ? "(?siu)\\A" : "(?s)\\A");
    var segments = segments(pattern);
    var last = segments.size() - 1;
    for (int i = 0; i <= last; i++) {
      var segment = segments.get(i);
      if (i == 0 || segment.isEmpty()) {
        result.append(segment);
      } else if (i < last) {
        result.append("(?>.*?").append(segment).append(')');
      } else {
        result.append(".*").append(segment);
      }
    }
    return last > 0 && segments.getLast().isEmpty()
        ? result.toString()
        : result.append("\\z").toString();
  }

  /** What stands between the {@code %}, each as a regular expression. */
  private static List<String> segments(String pattern) {
    var segments = new ArrayList<String>();
    var segment = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      switch (c) {
        case '%' -> {
          segments.add(segment.toString());
          segment.setLength(0);
        }
        case '_' -> segment.append('.');
        case ESCAPE -> quote(segment, i + 1 < pattern.length() ? pattern.charAt(++i) : ESCAPE);
        default -> quote(segment, c);
      }
    }
    segments.add(segment.toString());
    return segments;
  }

  /** Letters and digits mean something else behind a backslash, and nothing without one. */
  private static void quote(StringBuilder result, char c) {
    if (c < 128 && !Character.isLetterOrDigit(c)) {
      result.append(ESCAPE);
    }
    result.append(c);
  }

  /** The pattern up to its first wildcard, and {@code %}; for {@code LIKE}, which knows indexes. */
  public static String prefix(String pattern) {
    for (int i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      if (c == '%' || c == '_') {
        return like(pattern.substring(0, i)) + '%';
      }
      if (c == ESCAPE) {
        i++;
      }
    }
    return like(pattern);
  }

  private static void literal(StringBuilder result, char c) {
    if (c == '*' || c == '?' || c == '[') {
      result.append('[').append(c).append(']');
    } else {
      result.append(c);
    }
  }
}
