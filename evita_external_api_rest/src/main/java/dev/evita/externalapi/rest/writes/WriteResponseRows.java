// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.ErrorCode;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.request.QueryText;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.RowWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response to a write, composed of the returned rows. Used once, by one thread at a time. */
final class WriteResponseRows {

  private final ReturnedRepresentation returned;
  private final Preferences preferences;
  private final RowFormat format;
  private final String method;
  private final String resource;
  private final @Nullable RowWriter writer;
  private final @Nullable ReturnedOrder order;
  private final JsonWriter body = JsonWriter.inMemory();
  private List<String> keyValues = List.of();
  private long keys;

  /**
   * Creates a response without rows.
   *
   * @param method of the request: rows inserted by {@code POST} are reported as created
   * @param resource the path of the table, for {@code Location}
   */
  WriteResponseRows(
      ReturnedRepresentation returned,
      Preferences preferences,
      RowFormat format,
      String method,
      String resource) {
    this.returned = returned;
    this.preferences = preferences;
    this.format = format;
    this.method = method;
    this.resource = resource;
    var level = returned.level();
    this.writer =
        level == null ? null : new RowWriter(format, level.shape().build(), level.members());
    this.order = returned.order();
  }

  /** Returns the statement that reads the order of the rows before they are written, if any. */
  @Nullable ReturnedOrder orderBefore() {
    return order != null && order.before() ? order : null;
  }

  /** Returns the statement that reads the order of the rows after they were written, if any. */
  @Nullable ReturnedOrder orderAfter() {
    return order != null && !order.before() && order.several() ? order : null;
  }

  /** Begins the rows; to be called before the first row. */
  void begin() {
    if (writer != null) {
      writer.begin(body);
    }
  }

  /** Adds the next row. */
  void row(Row row, Quota held) {
    if (writer == null) {
      key(keyValues(row));
      return;
    }
    if (order != null) {
      render(order.scratch(), row, held).run();
      return;
    }
    held.count();
    var before = body.size();
    writer.row(body, row, held);
    held.hold(body.size() - before);
  }

  /**
   * Renders a row that may have to be reordered; the returned function appends it.
   *
   * @param scratch empty before and after
   */
  Runnable render(JsonWriter scratch, Row row, Quota held) {
    var rows = writer;
    if (rows == null) {
      var values = keyValues(row);
      return () -> key(values);
    }
    held.count();
    var rendered = rows.render(scratch, row, held);
    held.hold(rendered.length);
    Runnable shown = () -> rows.add(body, rendered);
    return order == null ? shown : order.placed(row, shown);
  }

  private List<String> keyValues(Row row) {
    var values = new ArrayList<String>();
    for (int i = 0; i < returned.key().size(); i++) {
      values.add(String.valueOf(row.textAt(i)));
    }
    return values;
  }

  private void key(List<String> values) {
    keys++;
    keyValues = values;
  }

  /**
   * Ends the rows, with their order and the number of changed rows.
   *
   * @throws RestFailure if these exceed the client's maximum, or another number than the format can
   *     hold
   */
  void end(long changed) {
    if (changed > preferences.maxAffected()) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "PGRST124",
          "Query result exceeds max-affected preference constraint",
          "The query affects " + changed + " rows",
          null);
    }
    if (writer == null) {
      RowWriter.requireFitting(format, changed);
    } else {
      if (order != null) {
        order.show();
      }
      RowWriter.requireFitting(format, writer.rows());
      writer.end(body);
    }
  }

  /**
   * Returns the response, once all statements have ended.
   *
   * @param affected the number of written rows of the table
   */
  BufferedResponse response(long affected) {
    var headers = new LinkedHashMap<String, String>();
    if (!preferences.applied().isEmpty()) {
      headers.put("Preference-Applied", String.join(", ", preferences.applied()));
    }
    headers.put("Content-Range", range(affected));
    if (keys == 1 && !returned.key().isEmpty()) {
      headers.put("Location", location());
    }
    var status = method.equals("POST") ? 201 : writer == null ? 204 : 200;
    return new BufferedResponse(status, format.contentType(), headers, body.take());
  }

  /** Inserted or deleted rows have no position among the others. */
  private String range(long affected) {
    var total = preferences.count() ? Long.toString(affected) : "*";
    var placed = affected > 0 && (method.equals("PATCH") || method.equals("PUT"));
    return placed ? "0-" + (affected - 1) + "/" + total : "*/" + total;
  }

  private String location() {
    var location = new StringBuilder(QueryText.escapedPath(resource));
    for (int i = 0; i < keyValues.size(); i++) {
      location
          .append(i == 0 ? '?' : '&')
          .append(URLEncoder.encode(returned.key().get(i), StandardCharsets.UTF_8))
          .append("=eq.")
          .append(URLEncoder.encode(keyValues.get(i), StandardCharsets.UTF_8));
    }
    return location.toString();
  }
}
