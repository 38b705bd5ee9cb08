// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write that is ready to run.
 *
 * @param level how the rows it returns are shown; null where none are
 * @param key the API names of the key's columns, whose values come as the first outputs, for {@code
 *     Location}; empty where it is not told
 */
record WritePlan(Prepared prepared, Arguments arguments, @Nullable Level level, List<String> key) {
  WritePlan {
    key = List.copyOf(key);
  }
}
