// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import dev.evita.api.DataType;
import dev.evita.externalapi.core.json.JsonValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON literal that contains variables. They are substituted as given by the request; one that it
 * does not give, and that has no default, is null, as in Hasura.
 *
 * @param tree JSON, with {@link VariableRef}s among its values
 */
record JsonLiteral(Object tree) implements Placeholder {

  /** Whether the tree contains a variable. */
  static boolean isOpen(@Nullable Object tree) {
    return switch (tree) {
      case VariableRef variable -> true;
      case List<?> list -> list.stream().anyMatch(JsonLiteral::isOpen);
      case Map<?, ?> map -> map.values().stream().anyMatch(JsonLiteral::isOpen);
      case null, default -> false;
    };
  }

  @Override
  public @Nullable Object value(@Nullable Object[] values) {
    var given = VariableRef.given(values);
    return JsonValues.coerce(DataType.Scalar.JSON, filled(tree, given), "");
  }

  private static @Nullable Object filled(@Nullable Object tree, Map<?, ?> given) {
    return switch (tree) {
      case VariableRef variable -> variable.json(given);
      case List<?> list -> {
        var filled = new ArrayList<@Nullable Object>(list.size());
        list.forEach(element -> filled.add(filled(element, given)));
        yield filled;
      }
      case Map<?, ?> map -> {
        var filled = new LinkedHashMap<Object, @Nullable Object>();
        map.forEach((name, value) -> filled.put(name, filled(value, given)));
        yield filled;
      }
      case null, default -> tree;
    };
  }
}
