// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.TransactionRun;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds, changes or removes rows by one statement. */
final class WriteMember implements Member, TransactionRun.Statement {

  private final WritePlan plan;
  private final Preferences preferences;
  private final RowFormat format;
  private final boolean adds;
  private final String resource;
  private final @Nullable RowWriter writer;
  private final JsonWriter body = JsonWriter.inMemory();
  private final List<String> keyValues = new ArrayList<>();
  private boolean begun;
  private long keys;
  private long affected;

  /**
   * @param adds whether it is answered as created
   * @param resource the path of the table, for {@code Location}
   */
  WriteMember(
      WritePlan plan, Preferences preferences, RowFormat format, boolean adds, String resource) {
    this.plan = plan;
    this.preferences = preferences;
    this.format = format;
    this.adds = adds;
    this.resource = resource;
    var level = plan.level();
    this.writer =
        level == null ? null : new RowWriter(format, level.shape().build(), level.members());
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
    if (begun) {
      return null;
    }
    begun = true;
    if (writer != null) {
      writer.begin(body);
    }
    return this;
  }

  @Override
  public Prepared prepared() {
    return plan.prepared();
  }

  @Override
  public Arguments arguments() {
    return plan.arguments();
  }

  @Override
  public void row(Row row, Quota held) {
    if (writer == null) {
      key(row);
      return;
    }
    held.count();
    var before = body.size();
    writer.row(body, row, held);
    held.hold(body.size() - before);
  }

  private void key(Row row) {
    keys++;
    keyValues.clear();
    for (int i = 0; i < plan.key().size(); i++) {
      keyValues.add(String.valueOf(row.textAt(i)));
    }
  }

  @Override
  public void completed(long changed) {
    affected = changed;
    if (affected > preferences.maxAffected()) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "PGRST124",
          "Query result exceeds max-affected preference constraint",
          "The query affects " + affected + " rows",
          null);
    }
    if (writer != null) {
      writer.requireFitting(writer.rows());
      writer.end(body);
    }
  }

  @Override
  public Answer answer() {
    var headers = new LinkedHashMap<String, String>();
    if (!preferences.applied().isEmpty()) {
      headers.put("Preference-Applied", String.join(", ", preferences.applied()));
    }
    headers.put("Content-Range", range());
    if (keys == 1 && !plan.key().isEmpty()) {
      headers.put("Location", location());
    }
    var status = adds ? 201 : writer == null ? 204 : 200;
    return new Answer(status, format.contentType(), headers, body.take());
  }

  private String range() {
    var total = preferences.count() ? Long.toString(affected) : "*";
    return affected == 0 || adds ? "*/" + total : "0-" + (affected - 1) + "/" + total;
  }

  private String location() {
    var location = new StringBuilder(resource);
    for (int i = 0; i < plan.key().size(); i++) {
      location
          .append(i == 0 ? '?' : '&')
          .append(URLEncoder.encode(plan.key().get(i), StandardCharsets.UTF_8))
          .append("=eq.")
          .append(URLEncoder.encode(keyValues.get(i), StandardCharsets.UTF_8));
    }
    return location.toString();
  }
}
