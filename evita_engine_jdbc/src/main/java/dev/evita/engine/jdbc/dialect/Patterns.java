// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import java.util.ArrayList;
import java.util.List;

/**
 * Translates the contract's patterns ({@code %}, {@code _}, escaped by a backslash) to the form of
 * an operator, so that every database interprets them the same: a backslash before any other
 * character represents that character, one at the end represents itself.
 */
public final class Patterns {

  private static final char ESCAPE = '\\';

  private Patterns() {}

  /**
   * Returns the form for {@code LIKE ... ESCAPE '\'}; H2 and PostgreSQL reject needless escapes.
   */
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
   * Returns the form for SQLite's {@code GLOB}, which is case-sensitive, unlike its {@code LIKE}.
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
   * Returns a regular expression of {@code java.util.regex} whose matching time is proportional to
   * the length of the text times that of the pattern.
   *
   * <p>A segment between two {@code %} is matched at its first occurrence, without backtracking: as
   * all of its characters have fixed width, a later occurrence could not help the rest.
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

  /** The segments between {@code %}, each as a regular expression. */
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

  /** Letters and digits have another meaning after a backslash, and need none. */
  private static void quote(StringBuilder result, char c) {
    if (c < 128 && !Character.isLetterOrDigit(c)) {
      result.append(ESCAPE);
    }
    result.append(c);
  }

  /**
   * The pattern up to its first wildcard, and {@code %}; for {@code LIKE}, which can use indexes.
   */
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
