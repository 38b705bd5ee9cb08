// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Converts a database's names to valid protobuf names: ASCII letters, digits and underscores, and
 * distinct also in JSON and in upper case, as in generated code.
 */
final class ProtoNames {

  private static final Pattern ACCENTS = Pattern.compile("\\p{M}+");

  /** The names of one scope. */
  static final class Scope {

    private final Set<String> taken = new HashSet<>();
    private final List<String> derived;

    private Scope(List<String> derived) {
      this.derived = derived;
    }

    static Scope ofTypes() {
      return new Scope(List.of(""));
    }

    /**
     * Returns the scope of a message that has columns as fields. Java's generator creates methods
     * like {@code getNameBytes} for {@code name}, which a field {@code name_bytes} would have as
     * well; two further names are reserved.
     */
    static Scope ofFields() {
      var scope = new Scope(List.of("", "_bytes", "_builder", "_or_builder"));
      scope.take("descriptor");
      scope.take("default_instance");
      return scope;
    }

    /** Returns this name, with a number appended if it, or a name derived from it, is taken. */
    String take(String wanted) {
      return take(wanted, derived);
    }

    /**
     * Returns this name, with a number appended if it, or it with one of the suffixes, is taken;
     * reserves all of these.
     */
    String take(String wanted, List<String> suffixes) {
      for (int number = 1; ; number++) {
        var name = number == 1 ? wanted : wanted + "_" + number;
        if (suffixes.stream().noneMatch(suffix -> taken.contains(folded(name + suffix)))) {
          suffixes.forEach(suffix -> taken.add(folded(name + suffix)));
          return name;
        }
      }
    }

    private static String folded(String name) {
      return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
  }

  private ProtoNames() {}

  /**
   * Returns a field's or package's name: {@code unit price} becomes {@code unit_price}, {@code
   * Käufer} {@code Kaufer}.
   */
  static String field(String name) {
    var legal = new StringBuilder(name.length());
    var plain = ACCENTS.matcher(Normalizer.normalize(name, Normalizer.Form.NFKD)).replaceAll("");
    plain.codePoints().forEach(c -> legal.append(isLegal(c) ? Character.toString(c) : "_"));
    var first = legal.isEmpty() ? '0' : legal.charAt(0);
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')
        ? legal.toString()
        : "f" + (first == '_' ? "" : "_") + legal;
  }

  /**
   * Returns a type's name: {@code order_items} becomes {@code OrderItems}, and so does {@code
   * ORDER_ITEMS}: upper-case names are the values of enumerations, which share their scope with
   * types.
   */
  static String type(String name) {
    var capitals = name.equals(name.toUpperCase(Locale.ROOT));
    return camelCase(field(capitals ? name.toLowerCase(Locale.ROOT) : name), true);
  }

  private static boolean isLegal(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  /** Returns a field's JSON name, as protoc derives it. */
  static String json(String field) {
    return camelCase(field, false);
  }

  private static String camelCase(String name, boolean first) {
    var camels = new StringBuilder(name.length());
    var upper = first;
    for (int i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      if (c != '_') {
        camels.append(upper ? Character.toUpperCase(c) : c);
      }
      upper = c == '_';
    }
    return camels.toString();
  }
}
