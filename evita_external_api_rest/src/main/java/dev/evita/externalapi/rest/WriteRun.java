// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.ResponseBody;
import dev.evita.externalapi.core.Shape;
import dev.evita.externalapi.core.Statements;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write: begins a transaction, runs the one statement, writes the answer into memory, commits,
 * and only then lets it leave. Whatever fails before that undoes all of it.
 *
 * <p>The engine calls on one thread at a time, but not always on the same.
 */
final class WriteRun implements RowSink, Runnable {

  private final Exchange exchange;
  private final Statements statements;
  private final WritePlan plan;
  private final Preferences preferences;
  private final RowFormat format;
  private final int status;
  private final String resource;
  private final @Nullable Shape shape;
  private final @Nullable CsvWriter csv;
  private final Quota quota;
  private final List<String> keyValues = new ArrayList<>();

  private @Nullable Transaction transaction;
  private @Nullable ResponseBody body;
  private @Nullable RuntimeException failure;
  private long written;

  /**
   * @param status where rows are answered
   * @param resource the path of the table, for {@code Location}
   */
  WriteRun(
      Exchange exchange,
      Statements statements,
      WritePlan plan,
      Preferences preferences,
      RowFormat format,
      int status,
      String resource) {
    this.exchange = exchange;
    this.statements = statements;
    this.plan = plan;
    this.preferences = preferences;
    this.format = format;
    this.status = status;
    this.resource = resource;
    this.quota = Quota.held(exchange.limits());
    var level = plan.level();
    this.shape = level == null ? null : level.shape().build();
    this.csv = level == null || format != RowFormat.CSV ? null : new CsvWriter(level.members());
  }

  @Override
  public void run() {
    var unused =
        statements
            .begin(TransactionOptions.DEFAULT)
            .whenComplete((begun, problem) -> {
              if (problem == null) {
                transaction = begun;
                plan.prepared().run(plan.arguments(), begun, this);
              } else {
                RestProblems.answer(exchange, problem);
              }
            });
  }

  @Override
  public void started(dev.evita.api.Execution started) {
    exchange.started(started);
  }

  @Override
  public int maxHeldRows() {
    return exchange.limits().maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    try {
      if (shape == null) {
        key(row);
      } else {
        quota.count();
        write(shape, row);
      }
      written++;
      return Demand.MORE;
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
  }

  private void key(Row row) {
    keyValues.clear();
    for (int i = 0; i < plan.key().size(); i++) {
      keyValues.add(String.valueOf(row.textAt(i)));
    }
  }

  private ResponseBody body() {
    var open = body;
    if (open == null) {
      open = exchange.respond(status, format.contentType());
      body = open;
      if (csv != null) {
        csv.header(open.json());
      } else if (format == RowFormat.JSON) {
        open.json().raw('[');
      }
    }
    return open;
  }

  private void write(Shape of, Row row) {
    var json = body().json();
    if (csv != null) {
      csv.row(json, row, quota);
    } else {
      if (format == RowFormat.JSON && written > 0) {
        json.raw(',');
      }
      of.write(json, row, quota);
      if (format == RowFormat.NDJSON) {
        json.raw('\n');
      }
    }
    quota.requireShort(body().position());
  }

  @Override
  public void completed(long affected) {
    var problem = failure == null ? refused(affected) : failure;
    if (problem != null) {
      undo(problem);
      return;
    }
    var open = open();
    var done = preferences.rollback() ? open.rollback() : open.commit();
    var unused =
        done.whenComplete((nothing, failed) -> {
          if (failed == null) {
            exchange.mustNotRestart();
            answer(affected);
          } else {
            undo(failed);
          }
        });
  }

  private @Nullable RuntimeException refused(long affected) {
    if (affected > preferences.maxAffected()) {
      return new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "PGRST124",
          "Query result exceeds max-affected preference constraint",
          "The query affects " + affected + " rows",
          null);
    }
    if (shape != null && format == RowFormat.OBJECT && written != 1) {
      return new RestFailure(
          406,
          ErrorCode.NOT_ACCEPTABLE,
          "PGRST116",
          "Cannot coerce the result to a single JSON object",
          "The result contains " + written + " rows",
          null);
    }
    return null;
  }

  private Transaction open() {
    var open = transaction;
    if (open == null) {
      throw new IllegalStateException("no transaction was begun");
    }
    return open;
  }

  @Override
  public void failed(EvitaException problem) {
    undo(failure == null ? problem : failure);
  }

  private void undo(Throwable problem) {
    var unused =
        open().rollback().whenComplete((done, ignored) -> RestProblems.answer(exchange, problem));
  }

  private void answer(long affected) {
    if (!preferences.applied().isEmpty()) {
      exchange.responseHeader("Preference-Applied", String.join(", ", preferences.applied()));
    }
    exchange.responseHeader("Content-Range", range(affected));
    if (shape == null) {
      if (written == 1 && !plan.key().isEmpty()) {
        exchange.responseHeader("Location", location());
      }
      exchange.respond(status == 201 ? 201 : 204, format.contentType()).end();
      return;
    }
    var answer = body();
    if (format == RowFormat.JSON) {
      answer.json().raw(']');
    }
    answer.end();
  }

  private String range(long affected) {
    var total = preferences.count() ? Long.toString(affected) : "*";
    return affected == 0 || status == 201 ? "*/" + total : "0-" + (affected - 1) + "/" + total;
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
