// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import java.util.Locale;

/** Functions in Java that H2 calls. */
public final class H2Functions {

  private H2Functions() {}

  /** The text as a part of a URL. */
  public static String slug(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
