// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.request.ReadQuery.Clauses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The clauses of a URL for embedded resources; a resource with an alias may also be addressed by
 * its name.
 */
public final class EmbeddedClauses {

  private EmbeddedClauses() {}

  /**
   * Returns the clauses of each resource, by its path of keys.
   *
   * @throws RestFailure PGRST108 if a path leads to none
   */
  public static Map<String, Clauses> of(ReadQuery request, List<SelectItem> items) {
    var clauses = new HashMap<String, Clauses>();
    request
        .clauses()
        .forEach((path, parsed) -> clauses.merge(keys(items, path), parsed, Clauses::and));
    return clauses;
  }

  private static String keys(List<SelectItem> items, String path) {
    if (path.isEmpty()) {
      return ReadQuery.ROOT;
    }
    var keys = new ArrayList<String>();
    var level = items;
    for (var name : path.split("\\.", -1)) {
      var embed = SelectItem.embed(level, name);
      if (embed == null) {
        throw notEmbedded(path);
      }
      keys.add(embed.key());
      level = embed.items();
    }
    return String.join(".", keys);
  }

  /** The failure of a clause that refers to no resource of the selection. */
  public static RestFailure notEmbedded(String name) {
    return new RestFailure(
        400,
        ErrorCode.INVALID_OPERATION,
        "PGRST108",
        "'" + RestFailure.shortened(name) + "' is not an embedded resource in this request",
        null,
        "Name it in select");
  }
}
