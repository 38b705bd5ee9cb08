// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Output;
import dev.evita.externalapi.rest.response.EmbedLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is told of written rows.
 *
 * @param level how they are shown; null where they are not
 * @param key the API names of the key's columns, whose values come as the outputs, for {@code
 *     Location}; empty where it is not told
 * @param outputs what comes back of each row
 * @param order in which they are shown; null for any
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
