// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.outcome;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code Set-Cookie} (RFC 6265, section 4.1.1). A cookie is {@code HttpOnly} and {@code
 * SameSite=Lax} for all paths unless set otherwise.
 */
final class CookieLine {

  /** SQLite has no boolean: its JSON has 1 and 0. */
  private static final Set<Object> TRUE = Set.of(true, 1L);

  private static final Set<Object> FALSE = Set.of(false, 0L);
  private static final Set<Object> FLAGS = Set.of(true, 1L, false, 0L, "absent");
  private static final Set<String> MEMBERS =
      Set.of("name", "value", "path", "domain", "max_age", "secure", "http_only", "same_site");

  private CookieLine() {}

  /** Null if a member is unknown or faulty. */
  static @Nullable String of(Map<?, ?> members) {
    var name = text(members, "name", "");
    var value = text(members, "value", "");
    var path = text(members, "path", "/");
    var domain = text(members, "domain", "");
    var sameSite = text(members, "same_site", "Lax");
    var maxAge = members.get("max_age");
    if (!MEMBERS.containsAll(members.keySet())
        || !HeaderRules.isName(name)
        || !isValue(value)
        || !isPlain(path + domain)
        || !Set.of("Lax", "Strict", "None").contains(sameSite)
        || !(maxAge == null || maxAge instanceof Long)
        || !FLAGS.contains(flag(members, "secure"))
        || !FLAGS.contains(flag(members, "http_only"))) {
      return null;
    }
    return name
        + "="
        + value
        + "; Path="
        + path
        + (domain.isEmpty() ? "" : "; Domain=" + domain)
        + (maxAge == null ? "" : "; Max-Age=" + maxAge)
        + (TRUE.contains(flag(members, "secure")) ? "; Secure" : "")
        + (FALSE.contains(flag(members, "http_only")) ? "" : "; HttpOnly")
        + "; SameSite="
        + sameSite;
  }

  private static boolean isValue(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f && "\",;\\".indexOf(c) < 0);
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != ';');
  }

  private static Object flag(Map<?, ?> members, String name) {
    var value = members.get(name);
    return value == null ? "absent" : value;
  }

  private static String text(Map<?, ?> members, String name, String absent) {
    var value = members.get(name);
    return value == null ? absent : String.valueOf(value);
  }
}
