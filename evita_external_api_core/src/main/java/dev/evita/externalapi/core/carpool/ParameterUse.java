// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of an operation, all of whose parts are records. */
final class ParameterUse {

  private ParameterUse() {}

  /**
   * Returns the parameters, as often as they occur. Slow: for operations that are prepared, not
   * executed.
   */
  static List<Parameter> of(Operation operation) {
    var found = new ArrayList<Parameter>();
    collect(operation, found);
    return found;
  }

  private static void collect(@Nullable Object part, List<Parameter> found) {
    switch (part) {
      case Parameter parameter -> found.add(parameter);
      case Collection<?> all -> all.forEach(each -> collect(each, found));
      case Record whole -> {
        for (var component : whole.getClass().getRecordComponents()) {
          try {
            collect(component.getAccessor().invoke(whole), found);
          } catch (ReflectiveOperationException e) {
            throw EvitaException.from(e);
          }
        }
      }
      case null, default -> {}
    }
  }
}
