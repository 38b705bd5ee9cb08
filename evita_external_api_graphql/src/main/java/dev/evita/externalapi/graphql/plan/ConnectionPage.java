// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.RowCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A page that is being read: its rows are rendered as they arrive, each part separately, and
 * assembled when all are complete. They can thus be reversed, and occur in several fields of the
 * response. Not thread-safe.
 */
final class ConnectionPage {

  private final ConnectionShape shape;
  private final ConnectionPaging paging;
  private final int maxHeldRows;
  private final JsonWriter[] json;
  private final List<String> cursors = new ArrayList<>();
  private final int[][] ends;
  private int rows;
  private long seen;

  /**
   * @param maxHeldRows the maximum number of rows in memory
   */
  ConnectionPage(ConnectionShape shape, ConnectionPaging paging, int maxHeldRows) {
    this.shape = shape;
    this.paging = paging;
    this.maxHeldRows = maxHeldRows;
    this.json = new JsonWriter[shape.parts().size()];
    Arrays.setAll(json, part -> JsonWriter.inMemory());
    this.ends = new int[json.length][16];
  }

  /**
   * Adds the next row.
   *
   * @throws EvitaException {@code TOO_MANY_ROWS}, and as {@link JsonShape#write}
   */
  void add(Row row, RowCounter counter) {
    if (++seen > paging.size()) {
      return;
    }
    if (rows == maxHeldRows) {
      throw new EvitaException(
          ErrorCode.TOO_MANY_ROWS,
          "The page has more than "
              + maxHeldRows
              + " rows, the limit of max-held-rows; request fewer by first or last");
    }
    counter.count();
    var cursor = shape.cursors() ? paging.cursors().encode(row, paging.cursorSlot()) : "";
    cursors.add(cursor);
    for (int part = 0; part < json.length; part++) {
      ConnectionShape.write(shape.parts().get(part), json[part], row, cursor, counter);
      if (rows == ends[part].length) {
        ends[part] = Arrays.copyOf(ends[part], 2 * rows);
      }
      ends[part][rows] = json[part].size();
    }
    rows++;
  }

  /** Returns the number of buffered bytes. */
  long bytes() {
    var bytes = 0L;
    for (var each : json) {
      bytes += each.size();
    }
    return bytes;
  }

  /** Writes a part, once all rows are complete. */
  void write(int part, JsonWriter into) {
    if (shape.parts().get(part) instanceof ConnectionShape.Part.About(var members)) {
      info(members, into);
      return;
    }
    into.raw('[');
    var skipped = paging.skipped(rows);
    for (int i = skipped; i < rows; i++) {
      if (i > skipped) {
        into.raw(',');
      }
      var row = placed(i);
      json[part].copyTo(into, row == 0 ? 0 : ends[part][row - 1], ends[part][row]);
    }
    into.raw(']');
  }

  /** Returns the index of the row at this position. */
  private int placed(int place) {
    return paging.backward() ? rows - 1 - place : place;
  }

  private void info(ConnectionShape.Members<ConnectionShape.Fact> members, JsonWriter into) {
    for (int i = 0; i < members.values().size(); i++) {
      into.raw(members.before().get(i));
      switch (members.values().get(i)) {
        case HAS_NEXT -> into.bool(paging.hasNext(seen));
        case HAS_PREVIOUS -> into.bool(paging.hasPrevious(seen));
        case START -> cursor(paging.skipped(rows), into);
        case END -> cursor(rows - 1, into);
      }
    }
    into.raw(members.end());
  }

  private void cursor(int place, JsonWriter into) {
    if (place < paging.skipped(rows) || place >= rows) {
      into.nullValue();
    } else {
      into.raw('"').raw(cursors.get(placed(place))).raw('"');
    }
  }
}
