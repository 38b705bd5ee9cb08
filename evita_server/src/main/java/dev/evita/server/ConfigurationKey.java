// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A configuration key.
 *
 * @param name in kebab-case, as in the file
 * @param group a description of the record that contains it
 * @param description one or two sentences
 * @param kind the syntax of its value
 * @param standard the default value; null if none
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

  /** Its names, the current one first. */
  List<String> names() {
    return formerly.isEmpty() ? List.of(name) : List.of(name, formerly);
  }

  /** Its flag, such as {@code --max-body-bytes}. */
  String flag() {
    return flag(name);
  }

  /** The flag of a name, such as {@code --max-body-bytes}. */
  static String flag(String name) {
    return "--" + name;
  }

  /** The environment variable of a name, such as {@code EVITA_MAX_BODY_BYTES}. */
  static String variable(String name) {
    return PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether its value is secret. */
  boolean secret() {
    return name.endsWith("password");
  }

  /** The default value in the syntax of the configuration. */
  String standardText() {
    return kind.format(standard);
  }

  /** Whether the name is that of an Evita variable. */
  static boolean isVariable(String name) {
    return name.startsWith(PREFIX);
  }
}
