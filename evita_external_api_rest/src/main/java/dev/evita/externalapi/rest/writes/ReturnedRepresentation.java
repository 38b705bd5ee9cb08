// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Output;
import dev.evita.externalapi.rest.response.EmbedLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The returned representation of written rows.
 *
 * @param level the members to return; null if they are not returned
 * @param key the API names of the key's columns, whose values come as the outputs, for {@code
 *     Location}; empty without {@code Location}
 * @param outputs the returned values of each row
 * @param order in which they are returned; null for any
 */
record ReturnedRepresentation(
    @Nullable EmbedLevel level,
    List<String> key,
    List<Output> outputs,
    @Nullable ReturnedOrder order) {
  ReturnedRepresentation {
    key = List.copyOf(key);
    outputs = List.copyOf(outputs);
  }
}
