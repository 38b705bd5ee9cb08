// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The names that APIs show for database names.
 *
 * <p>Where the engine folds unquoted names to upper case, a wholly upper-case name is shown in
 * lower case, unless a sibling already has that very name: then it stays as it is, so that names
 * which differ only by case stay apart.
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
