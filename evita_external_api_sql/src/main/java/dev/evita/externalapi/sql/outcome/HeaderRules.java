// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.outcome;

import java.util.Locale;
import java.util.Set;

/** What a handler may set among the headers of a response. */
public final class HeaderRules {

  /** In names, besides letters and digits (RFC 9110, section 5.6.2). */
  private static final String MARKS = "!#$%&'*+.^_`|~-";

  /** Those that frame the message, or belong to the connection (RFC 9110, section 7.6.1). */
  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "date",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private HeaderRules() {}

  /** Whether the text is the name of a field. */
  public static boolean isName(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> isLetterOrDigit(c) || MARKS.indexOf(c) >= 0);
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /** Returns the text as a part of a message, with question marks for control characters. */
  public static String printable(String text) {
    var shown = new StringBuilder(text.length());
    text.chars().forEach(c -> shown.append(c < ' ' || c == 0x7f ? '?' : (char) c));
    return shown.toString();
  }

  /** Whether the text is the value of a field: visible Latin-1 characters, blanks and tabs. */
  public static boolean isValue(String text) {
    return text.chars().allMatch(c -> (c >= ' ' && c != 0x7f && c <= 0xff) || c == '\t');
  }

  /**
   * Whether a handler may set this field among its headers; the content type is a column of its
   * own.
   */
  public static boolean maySet(String name) {
    return isName(name) && !isReserved(name) && !name.equalsIgnoreCase("content-type");
  }

  /** Whether the server sets this field itself. */
  public static boolean isReserved(String name) {
    return RESERVED.contains(name.toLowerCase(Locale.ROOT));
  }
}
