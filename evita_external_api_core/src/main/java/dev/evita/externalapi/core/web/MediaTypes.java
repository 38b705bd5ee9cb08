// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Content types and their negotiation (RFC 9110, sections 8.3 and 12.5.1). */
public final class MediaTypes {

  /** The media type of server-sent events. */
  public static final String EVENT_STREAM = "text/event-stream";

  private MediaTypes() {}

  /** Returns the type and subtype of a header value, in lower case, without parameters. */
  public static @Nullable String essence(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    var end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
  }

  /** Whether a header value names this type, whatever its parameters. */
  public static boolean is(@Nullable String contentType, String type) {
    return type.equals(contentType) || type.equals(essence(contentType));
  }

  /** Returns the value of a parameter, unquoted; null if absent. */
  public static @Nullable String parameter(@Nullable String contentType, String name) {
    if (contentType == null) {
      return null;
    }
    var parts = contentType.split(";", -1);
    for (int i = 1; i < parts.length; i++) {
      var equals = parts[i].indexOf('=');
      if (equals > 0 && parts[i].substring(0, equals).trim().equalsIgnoreCase(name)) {
        return parts[i].substring(equals + 1).trim().replace("\"", "");
      }
    }
    return null;
  }

  /**
   * Selects the offered type that the client prefers; among equals, the one offered first.
   *
   * @param accept the {@code Accept} header; if absent, any type is acceptable
   * @return null if none is acceptable
   */
  public static @Nullable String negotiate(@Nullable String accept, List<String> offered) {
    if (accept == null || accept.isBlank() || accept.equals("*/*")) {
      return offered.getFirst();
    }
    if (offered.contains(accept)) {
      return accept;
    }
    var ranges = accept.toLowerCase(Locale.ROOT).split(",", -1);
    String best = null;
    var bestQuality = 0.0;
    for (var type : offered) {
      var quality = quality(ranges, type);
      if (quality > bestQuality) {
        bestQuality = quality;
        best = type;
      }
    }
    return best;
  }

  /** The quality of the most specific range that matches. */
  private static double quality(String[] ranges, String type) {
    var specificity = -1;
    var quality = 0.0;
    for (var range : ranges) {
      var matched = specificity(essence(range), type);
      if (matched > specificity) {
        specificity = matched;
        quality = weight(parameter(range, "q"));
      }
    }
    return quality;
  }

  private static int specificity(@Nullable String range, String type) {
    if (type.equals(range)) {
      return 2;
    }
    if ("*/*".equals(range)) {
      return 0;
    }
    var slash = type.indexOf('/');
    return range != null && range.equals(type.substring(0, slash) + "/*") ? 1 : -1;
  }

  /** Parses the weight {@code q}; 1 if absent, 0 if it is no number. */
  static double weight(@Nullable String q) {
    if (q == null) {
      return 1;
    }
    try {
      return Math.clamp(Double.parseDouble(q), 0, 1);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
