// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import org.jspecify.annotations.Nullable;

/**
 * What the {@code Prefer} header asks for (RFC 7240), as far as reading goes.
 *
 * @param count whether the number of all rows is wanted; {@code planned} and {@code estimated} are
 *     taken for {@code exact}, since an engine tells no estimates
 */
record Preferences(boolean count) {

  private static final Preferences NONE = new Preferences(false);

  /**
   * Reads the header.
   *
   * @throws RestFailure PGRST122 for a preference that is not known, where {@code handling=strict}
   */
  static Preferences parse(@Nullable String header) {
    if (header == null) {
      return NONE;
    }
    var count = false;
    var strict = false;
    String unknown = null;
    for (var each : header.split(",", -1)) {
      var preference = each.strip();
      switch (preference) {
        case "count=exact", "count=planned", "count=estimated" -> count = true;
        case "handling=strict" -> strict = true;
        case "", "handling=lenient", "return=representation", "return=minimal", "tx=commit" -> {
          // of no consequence to what reads
        }
        default -> unknown = preference;
      }
    }
    if (strict && unknown != null) {
      throw new RestFailure(
          400,
          dev.evita.api.ErrorCode.MALFORMED_REQUEST,
          "PGRST122",
          "Invalid preferences given with handling=strict",
          "Invalid preferences: " + RestFailure.shortened(unknown),
          null);
    }
    return new Preferences(count);
  }
}
