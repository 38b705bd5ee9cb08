// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import dev.evita.api.DataType;
import dev.evita.externalapi.core.json.ArrayText;
import dev.evita.externalapi.core.live.ValuePath;
import org.jspecify.annotations.Nullable;

/**
 * A variable where an array is expected. GraphQL makes a list of one element of a text that is
 * given for it; one that holds an array is that array, as in Hasura.
 */
record ArrayVariable(VariableRef variable, DataType.Array type) implements Placeholder {

  @Override
  public @Nullable Object value(@Nullable Object[] values) {
    return variable.json(VariableRef.given(values)) instanceof String text
            && ArrayText.isArray(text)
        ? Inputs.array(type, text, ValuePath.of("$" + variable.name()))
        : variable.value(values);
  }
}
