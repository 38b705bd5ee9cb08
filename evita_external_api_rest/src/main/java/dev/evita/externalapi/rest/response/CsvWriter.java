// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.api.DataType;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.ArrayText;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonShape.Node;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.RowCounter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows as comma-separated values (RFC 4180): lines end with CR LF, null is an empty field, arrays
 * are as PostgreSQL writes them, and what else has no text of its own is JSON. Used by one thread
 * at a time.
 */
final class CsvWriter {

  private record Field(int[] way, Node node, JsonShape alone) {}

  private final List<EmbedLevel.Member> members;
  private final List<Field> fields = new ArrayList<>();
  private final JsonWriter scratch = JsonWriter.inMemory();

  CsvWriter(List<EmbedLevel.Member> members) {
    this.members = members;
    for (var member : members) {
      var way = member.way().stream().mapToInt(slot -> slot).toArray();
      fields.add(new Field(way, member.node(), JsonShape.alone(member.node())));
    }
  }

  void header(JsonWriter out) {
    for (int i = 0; i < members.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      text(out, members.get(i).name());
    }
    out.raw("\r\n");
  }

  void row(JsonWriter out, Row row, RowCounter counter) {
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      field(out, fields.get(i), row, counter);
    }
    out.raw("\r\n");
  }

  private void field(JsonWriter out, Field field, Row own, RowCounter counter) {
    var row = own;
    for (var slot : field.way()) {
      var related = row.nested(slot);
      if (!related.next()) {
        return;
      }
      row = related;
    }
    switch (field.node()) {
      case Node.Value value -> value(out, value, row);
      case Node.Text text -> nullable(out, row, text.slot());
      default -> json(out, field.alone(), row, counter);
    }
  }

  private static void value(JsonWriter out, Node.Value value, Row row) {
    if (row.isNull(value.slot())) {
      return;
    }
    switch (value.type()) {
      case DataType.Array array -> list(out, row, value.slot());
      case DataType.Scalar.BOOLEAN,
          DataType.Scalar.INT16,
          DataType.Scalar.INT32,
          DataType.Scalar.INT64 ->
          out.present(value.type(), row, value.slot());
      default -> nullable(out, row, value.slot());
    }
  }

  private static void list(JsonWriter out, Row row, int slot) {
    if (row.objectAt(slot) instanceof List<?> list) {
      text(out, ArrayText.format(list));
    }
  }

  private static void nullable(JsonWriter out, Row row, int slot) {
    var text = row.textAt(slot);
    if (text != null) {
      text(out, text);
    }
  }

  private void json(JsonWriter out, JsonShape alone, Row row, RowCounter counter) {
    alone.write(scratch, row, counter);
    var text = new String(scratch.take(), StandardCharsets.UTF_8);
    if (!text.equals("null")) {
      text(out, text);
    }
  }

  /** An empty text is quoted, so that it is no null. */
  private static void text(JsonWriter out, String text) {
    if (text.isEmpty() || needsQuotes(text)) {
      out.raw("\"" + text.replace("\"", "\"\"") + "\"");
    } else {
      out.raw(text);
    }
  }

  private static boolean needsQuotes(String text) {
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == ',' || c == '"' || c == '\n' || c == '\r') {
        return true;
      }
    }
    return false;
  }
}
