// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of a client that applies each event and rejects inconsistent ones. */
final class Replay {

  private final Map<String, String> rows = new HashMap<>();
  private String lastId = "";
  private int resets;

  void apply(EventReader.Event event) {
    if (!event.id().isEmpty()) {
      lastId = event.id();
    }
    switch (event.name()) {
      case "reset" -> {
        rows.clear();
        resets++;
      }
      case "insert" -> require(rows.put(event.key(), event.row()) == null, event);
      case "update" -> {
        var before = rows.put(event.key(), event.row());
        require(before != null && !before.equals(event.row()), event);
      }
      case "delete" -> require(rows.remove(event.key()) != null, event);
      case "ready" -> {}
      default -> throw new AssertionError("unexpected: " + event);
    }
  }

  private void require(boolean fits, EventReader.Event event) {
    if (!fits) {
      throw new AssertionError(event + " does not fit " + rows);
    }
  }

  String lastId() {
    return lastId;
  }

  int resets() {
    return resets;
  }

  /** The rows, in no order. */
  List<String> rows() {
    return List.copyOf(rows.values());
  }
}
