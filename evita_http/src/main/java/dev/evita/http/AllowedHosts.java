// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The host names that requests of one listener may use. Immutable.
 *
 * <p>A page may rebind its own name to 127.0.0.1 once it has been loaded (DNS rebinding). For the
 * browser it then has the same origin as a server on the user's machine; only the name in {@code
 * Host} reveals it.
 *
 * <p>{@link #allows} allocates nothing.
 */
public final class AllowedHosts {

  /** All hosts. */
  private static final String ANY = "*";

  private static final Pattern ENTRY =
      Pattern.compile("\\*|(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[[0-9A-Fa-f:.]+]");
  private static final List<String> LOOPBACK =
      List.of("localhost", "*.localhost", "127.0.0.0/8", "[::1]");
  private static final int MAX_SHOWN = 100;

  private final boolean any;
  private final boolean loopback;
  private final List<String> shown;
  private final List<String> names = new ArrayList<>();
  private final List<String> suffixes = new ArrayList<>();

  private AllowedHosts(List<String> entries, boolean any, boolean loopback) {
    this.any = any;
    this.loopback = loopback;
    this.shown = loopback ? LOOPBACK : entries;
    for (var entry : entries) {
      var end = entry.endsWith(".") ? entry.length() - 1 : entry.length();
      if (entry.startsWith("*")) {
        suffixes.add(entry.substring(1, end));
      } else {
        names.add(entry.substring(0, end));
      }
    }
  }

  /**
   * Returns the allowed hosts of a listener.
   *
   * @param entries as in {@code allowed-hosts}; empty for the default: all, or the loopback names
   *     if the listener is reachable only from this machine
   * @param bound the address that it is bound to
   */
  static AllowedHosts of(List<String> entries, InetAddress bound) {
    if (entries.isEmpty()) {
      return new AllowedHosts(entries, !bound.isLoopbackAddress(), bound.isLoopbackAddress());
    }
    return new AllowedHosts(entries, entries.contains(ANY), false);
  }

  /** Returns whether an entry of {@code allowed-hosts} has one of the documented forms. */
  public static boolean isValid(String entry) {
    return ENTRY.matcher(entry).matches();
  }

  /**
   * Whether requests may use this host.
   *
   * @param authority {@code host [":" port]} (RFC 3986, section 3.2), in any case, with or without
   *     a trailing dot
   */
  boolean allows(String authority) {
    if (any) {
      return true;
    }
    var end = hostEnd(authority);
    return end > 0 && (loopback ? isLoopback(authority, end) : isNamed(authority, end));
  }

  /** The end of the host, without port and trailing dot; 0 if it is no authority. */
  private static int hostEnd(String authority) {
    var end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
    if (end < 0) {
      end = authority.length();
    } else if (!isPort(authority, end)) {
      return 0;
    }
    return end > 1 && authority.charAt(end - 1) == '.' ? end - 1 : end;
  }

  /** Whether the rest is empty, or a colon and digits. */
  private static boolean isPort(String authority, int from) {
    if (from == authority.length()) {
      return true;
    }
    if (authority.charAt(from) != ':') {
      return false;
    }
    for (int i = from + 1; i < authority.length(); i++) {
      if (!isDigit(authority.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLoopback(String host, int end) {
    return is(host, end, "localhost")
        || isBelow(host, end, ".localhost")
        || isLoopbackAddress(host, end)
        || is(host, end, "[::1]");
  }

  /** Whether it is an address in 127.0.0.0/8 in dotted decimal notation. */
  private static boolean isLoopbackAddress(String host, int end) {
    if (!host.startsWith("127.")) {
      return false;
    }
    var dots = 0;
    var digits = 0;
    var number = 0;
    for (int i = 0; i < end; i++) {
      var c = host.charAt(i);
      if (c == '.' && digits > 0) {
        dots++;
        digits = 0;
        number = 0;
      } else if (isDigit(c) && digits < 3) {
        digits++;
        number = 10 * number + c - '0';
      } else {
        return false;
      }
      if (number > 255) {
        return false;
      }
    }
    return dots == 3 && digits > 0;
  }

  private boolean isNamed(String host, int end) {
    for (int i = 0; i < names.size(); i++) {
      if (is(host, end, names.get(i))) {
        return true;
      }
    }
    for (int i = 0; i < suffixes.size(); i++) {
      if (isBelow(host, end, suffixes.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean is(String host, int end, String name) {
    return end == name.length() && host.regionMatches(true, 0, name, 0, end);
  }

  private static boolean isBelow(String host, int end, String suffix) {
    var from = end - suffix.length();
    return from > 0 && host.regionMatches(true, from, suffix, 0, suffix.length());
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The fault of a request for a host that is not allowed. */
  HttpFault fault(String host) {
    var name = host.length() > MAX_SHOWN ? host.substring(0, MAX_SHOWN) + "..." : host;
    return new HttpFault(
        421,
        "HOST_NOT_ALLOWED",
        "Host \"%s\" is not allowed; expected one of %s (allowed-hosts)"
            .formatted(name, String.join(", ", shown)),
        true);
  }
}
