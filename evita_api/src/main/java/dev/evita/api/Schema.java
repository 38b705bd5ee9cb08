// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A named set of tables and routines. */
public record Schema(
    String name, List<Table> tables, List<Routine> routines, @Nullable String comment) {
  public Schema {
    tables = List.copyOf(tables);
    routines = List.copyOf(routines);
  }
}
