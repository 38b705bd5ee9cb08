// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Negotiates a content coding (RFC 9110, section 12.5.3). */
final class AcceptEncoding {

  private static final double ABSENT = -1;

  private AcceptEncoding() {}

  /**
   * Selects the offered coding that the client prefers; among equals, the one offered first.
   *
   * @return null if it accepts none, or prefers the response uncompressed
   */
  static @Nullable ContentCoding choose(String accepted, List<ContentCoding> offered) {
    var members = accepted.toLowerCase(Locale.ROOT).split(",", -1);
    var anything = weight(members, "*");
    ContentCoding best = null;
    var bestWeight = Math.max(0, weight(members, "identity"));
    for (var coding : offered) {
      var own = weight(members, coding.token());
      var weight = own == ABSENT ? anything : own;
      if (weight > 0 && (best == null ? weight >= bestWeight : weight > bestWeight)) {
        best = coding;
        bestWeight = weight;
      }
    }
    return best;
  }

  private static double weight(String[] members, String token) {
    for (var member : members) {
      if (token.equals(MediaTypes.essence(member))) {
        return MediaTypes.weight(MediaTypes.parameter(member, "q"));
      }
    }
    return ABSENT;
  }
}
