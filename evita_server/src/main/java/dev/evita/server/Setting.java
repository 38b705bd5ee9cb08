// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;
import java.util.Map;

/**
 * A configured value, not yet parsed.
 *
 * @param source its location, such as {@code evita.yaml:3} or {@code --port}
 */
record Setting(String source, Value value) {

  /** The value as written. */
  sealed interface Value {}

  /** A single value. */
  record Text(String text) implements Value {
    @Override
    public String toString() {
      return text;
    }
  }

  /** A YAML list. */
  record Items(List<String> items) implements Value {
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String toString() {
      return items.toString();
    }
  }

  /** A YAML map. */
  record Pairs(Map<String, String> pairs) implements Value {
    public Pairs {
      pairs = Map.copyOf(pairs);
    }

    @Override
    public String toString() {
      return pairs.toString();
    }
  }

  static Setting of(String source, String text) {
    return new Setting(source, new Text(text));
  }
}
