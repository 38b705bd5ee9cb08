// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.outcome;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What a handler may set among the headers of a response. */
public final class HeaderRules {

  /** RFC 9110, section 5.6.2. */
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

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
    return NAME.matcher(text).matches();
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
