// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be configured.
 *
 * @param name in kebab-case, as in the file
 * @param group the record that holds it, in words
 * @param description one or two sentences
 * @param kind how its value is written
 * @param standard the value where nothing is configured; null if none
 * @param formerly its former name, which is still accepted; empty for none
 */
record ConfigurationKey(
    String name,
    String group,
    String description,
    ValueKind kind,
    @Nullable Object standard,
    String formerly) {

  private static final String PREFIX = "EVITA_";

  /** Its names, the present one first. */
  List<String> names() {
    return formerly.isEmpty() ? List.of(name) : List.of(name, formerly);
  }

  /** As in {@code --max-body-bytes}. */
  String flag() {
    return flag(name);
  }

  /** As in {@code --max-body-bytes}. */
  static String flag(String name) {
    return "--" + name;
  }

  /** As in {@code EVITA_MAX_BODY_BYTES}. */
  static String variable(String name) {
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
