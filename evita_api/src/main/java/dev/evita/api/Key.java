// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/** A primary key, unique key or index over columns in order; at least one column. */
public record Key(String name, List<String> columns) {
  public Key {
    columns = List.copyOf(columns);
  }
}
