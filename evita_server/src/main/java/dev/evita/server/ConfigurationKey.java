// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be configured.
 *
 * @param name in kebab-case, as in the file
 * @param group the record that holds it, in words
 * @param description one or two sentences
 * @param kind how its value is written
 * @param standard the value where nothing is configured; null for none
 */
record ConfigurationKey(
    String name, String group, String description, ValueKind kind, @Nullable Object standard) {

  private static final String PREFIX = "EVITA_";

  /** As in {@code --max-body-bytes}. */
  String flag() {
    return "--" + name;
  }

  /** As in {@code EVITA_MAX_BODY_BYTES}. */
  String variable() {
    return PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether its value must not be shown. */
  boolean secret() {
    return name.endsWith("password");
  }

  /** The standard value as users would write it. */
  String standardText() {
    return kind.format(standard);
  }

  /** Whether the name is that of a variable for Evita. */
  static boolean isVariable(String name) {
    return name.startsWith(PREFIX);
  }
}
