// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import dev.evita.externalapi.core.json.JsonShape.Node;
import dev.evita.externalapi.core.limits.RowCounter;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a row again of which a value could not be written: null takes its place, or, where that
 * must not be null, the place of the nearest related row around it (GraphQL, section 6.4.4). Lists
 * and their members must not be null. For one row.
 */
final class TolerantWriter {

  private final JsonWriter json;
  private final RowCounter counter;
  private final ValueErrorListener faults;
  private final List<Object> path = new ArrayList<>();

  TolerantWriter(JsonWriter json, RowCounter counter, ValueErrorListener faults) {
    this.json = json;
    this.counter = counter;
    this.faults = faults;
  }

  /** Answers whether it could be written; else null is to stand in its place. */
  boolean write(JsonShape shape, Row row) {
    for (int i = 0; i < shape.nodes().length; i++) {
      json.raw(shape.fragments()[i]);
      path.add(shape.keys()[i]);
      if (!write(shape.nodes()[i], row)) {
        return false;
      }
      path.removeLast();
    }
    json.raw(shape.end());
    return true;
  }

  private boolean write(Node node, Row row) {
    return switch (node) {
      case Node.Value value -> value(node, row, value.required());
      case Node.Lists lists -> value(node, row, lists.value().required());
      case Node.Computed computed -> value(node, row, false);
      case Node.Text text -> value(node, row, false);
      case Node.Inline inline -> write(inline.shape(), row);
      case Node.One one -> one(one, row.nested(one.slot()));
      case Node.Many many -> many(many, row.nested(many.slot()));
      case Node.Spread spread ->
          throw new IllegalArgumentException("what is spread has no place for null");
    };
  }

  private boolean value(Node node, Row row, boolean required) {
    var start = json.position();
    try {
      JsonShape.write(json, node, row, counter);
      return true;
    } catch (EvitaException e) {
      if (e.code() != ErrorCode.STORED_VALUE_INVALID) {
        throw e;
      }
      json.position(start);
      faults.fault(e, List.copyOf(path));
      json.nullValue();
      return !required;
    }
  }

  private boolean one(Node.One one, RowCursor cursor) {
    if (!cursor.next()) {
      json.nullValue();
      return true;
    }
    counter.count();
    var start = json.position();
    var depth = path.size();
    if (!write(one.shape(), cursor)) {
      json.position(start);
      json.nullValue();
      path.subList(depth, path.size()).clear();
    }
    return true;
  }

  private boolean many(Node.Many many, RowCursor cursor) {
    json.raw('[');
    for (int place = 0; cursor.next(); place++) {
      if (place > 0) {
        json.raw(',');
      }
      counter.count();
      path.add(place);
      if (!write(many.shape(), cursor)) {
        return false;
      }
      path.removeLast();
    }
    json.raw(']');
    return true;
  }
}
