// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Assigns names in one namespace: valid in GraphQL ({@code [_A-Za-z][_0-9A-Za-z]*}, without the
 * {@code __} that introspection keeps for itself) and each only once.
 *
 * <p>Characters that GraphQL does not allow become {@code _}. If two elements have the same name,
 * the first one gets it and the next one gets {@code _2}: the same catalog always gives the same
 * names.
 */
final class GraphQlNames {

  private final Set<String> taken = new HashSet<>();

  /** Creates a namespace in which these names are taken from the start. */
  static GraphQlNames without(Collection<String> reserved) {
    var names = new GraphQlNames();
    names.taken.addAll(reserved);
    return names;
  }

  /** Returns the requested name, or the nearest one that is valid and free. */
  String claim(String wanted) {
    var valid = valid(wanted);
    if (taken.add(valid)) {
      return valid;
    }
    for (int number = 2; ; number++) {
      var numbered = valid + "_" + number;
      if (taken.add(numbered)) {
        return numbered;
      }
    }
  }

  static String valid(String wanted) {
    var name = new StringBuilder(wanted.length() + 1);
    for (int i = 0; i < wanted.length(); i++) {
      var c = wanted.charAt(i);
      name.append(isLetter(c) || isDigit(c) ? c : '_');
    }
    if (name.isEmpty() || isDigit(name.charAt(0))) {
      name.insert(0, '_');
    }
    while (name.length() > 1 && name.charAt(0) == '_' && name.charAt(1) == '_') {
      name.deleteCharAt(0);
    }
    return name.toString();
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
