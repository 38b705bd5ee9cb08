// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that a field of a mutation answers, as JSON: nothing may leave before the commit, so
 * they are held until then. Used by one thread at a time.
 */
final class ReturnedRows {

  private final List<JsonShape> shapes;
  private final JsonWriter scratch = JsonWriter.inMemory();
  private final List<byte[][]> rows = new ArrayList<>();

  ReturnedRows(List<JsonShape> shapes) {
    this.shapes = shapes;
  }

  /**
   * The row as JSON in each of the shapes.
   *
   * @param held counts each row, nested ones included, against the limits
   * @throws dev.evita.api.EvitaException {@code TOO_MANY_ROWS}, {@code ANSWER_TOO_LARGE}, {@code
   *     STORED_VALUE_INVALID}
   */
  byte[][] render(Row row, Quota held) {
    held.count();
    var texts = new byte[shapes.size()][];
    for (int i = 0; i < texts.length; i++) {
      shapes.get(i).write(scratch, row, held);
      texts[i] = scratch.take();
      held.hold(texts[i].length);
    }
    return texts;
  }

  /** The row comes next in the answer. */
  void add(Row row, Quota held) {
    add(render(row, held));
  }

  /** What {@link #render} made comes next in the answer. */
  void add(byte[][] rendered) {
    rows.add(rendered);
  }

  void writeFirst(JsonWriter json) {
    if (rows.isEmpty()) {
      json.nullValue();
    } else {
      json.raw(rows.getFirst()[0]);
    }
  }

  void writeAll(JsonWriter json, int shape) {
    json.raw('[');
    for (int i = 0; i < rows.size(); i++) {
      if (i > 0) {
        json.raw(',');
      }
      json.raw(rows.get(i)[shape]);
    }
    json.raw(']');
  }
}
