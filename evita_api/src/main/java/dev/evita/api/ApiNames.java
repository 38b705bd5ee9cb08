// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Derives the names that APIs publish from database names.
 *
 * <p>If the engine folds unquoted names to upper case, a name entirely in upper case is published
 * in lower case, unless a sibling has that name already: then it is left unchanged, so that names
 * that differ only by case stay distinct.
 */
final class ApiNames {

  private ApiNames() {}

  static Map<String, String> of(Catalog.Folding folding, List<String> siblings) {
    var exact = new HashSet<>(siblings);
    var names = new LinkedHashMap<String, String>();
    for (var name : siblings) {
      var folded = fold(folding, name);
      names.put(name, exact.contains(folded) ? name : folded);
    }
    return names;
  }

  static String fold(Catalog.Folding folding, String name) {
    return switch (folding) {
      case NONE -> name;
      case UPPER ->
          name.equals(name.toUpperCase(Locale.ROOT)) ? name.toLowerCase(Locale.ROOT) : name;
    };
  }
}
