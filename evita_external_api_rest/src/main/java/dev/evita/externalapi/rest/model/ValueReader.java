// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a value of a URL to an argument.
 *
 * @param pattern whether {@code *} is replaced by {@code %}, which URLs would have to escape
 */
public record ValueReader(DataType type, boolean pattern) {

  /**
   * Returns the argument.
   *
   * @param value a text, or a list of texts
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  public Object read(Object value) {
    if (value instanceof List<?> list) {
      var all = new ArrayList<Object>(list.size());
      for (var each : list) {
        all.add(RestValues.parse(type, (String) each));
      }
      return all;
    }
    var text = (String) value;
    return pattern ? text.replace('*', '%') : RestValues.parse(type, text);
  }
}
