// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.ResponseBody;
import org.jspecify.annotations.Nullable;

/**
 * One answer: counts the rows where that is asked for, then writes them as they come.
 *
 * <p>The engine calls on one thread at a time, but not always on the same.
 */
final class ReadRun implements RowSink, Runnable {

  /** Where the number of all rows is not known. */
  static final long UNKNOWN = -1;

  private final Exchange exchange;
  private final ReadPlan plan;
  private final Arguments arguments;
  private final RowFormat format;
  private final @Nullable CsvWriter csv;
  private final long offset;
  private final long limit;
  private final Quota quota;

  private @Nullable ResponseBody body;
  private @Nullable Execution execution;
  private @Nullable RuntimeException failure;
  private long total = UNKNOWN;
  private long written;

  /**
   * @param limit how many rows may come at most
   */
  ReadRun(
      Exchange exchange,
      ReadPlan plan,
      Arguments arguments,
      RowFormat format,
      long offset,
      long limit) {
    this.exchange = exchange;
    this.plan = plan;
    this.arguments = arguments;
    this.format = format;
    this.csv = format == RowFormat.CSV ? new CsvWriter(plan.members()) : null;
    this.offset = offset;
    this.limit = limit;
    this.quota = Quota.of(exchange.limits(), 0);
  }

  /** Whether it surely ends soon on the calling thread. */
  boolean bounded() {
    return plan.bounded(arguments);
  }

  @Override
  public void run() {
    var count = plan.count();
    if (count == null) {
      plan.rows().run(arguments, null, this);
    } else {
      count.run(arguments, null, new CountSink());
    }
  }

  /** Takes the one row of the count, and then has the rows themselves read. */
  private final class CountSink implements RowSink {
    @Override
    public void started(Execution started) {
      exchange.started(started);
    }

    @Override
    public Demand row(Row row) {
      total = row.longAt(0);
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      if (offset > 0 && offset >= total) {
        exchange.responseHeader("Content-Range", "*/" + total);
        RestProblems.answer(
            exchange,
            RowRange.notSatisfiable(
                "An offset of "
                    + offset
                    + " was requested, but there are only "
                    + total
                    + " rows"));
        return;
      }
      plan.rows().run(arguments, null, ReadRun.this);
    }

    @Override
    public void failed(EvitaException problem) {
      RestProblems.answer(exchange, problem);
    }
  }

  private ResponseBody body() {
    var open = body;
    if (open == null) {
      open = exchange.respond(status(), format.contentType());
      body = open;
      if (total != UNKNOWN) {
        range(Math.min(limit, total - offset));
      }
      if (csv != null) {
        csv.header(open.json());
      } else if (format == RowFormat.JSON) {
        open.json().raw('[');
      }
    }
    return open;
  }

  /** 206 for a part of what is there, where that is known (RFC 9110, section 15.3.7). */
  private int status() {
    return total != UNKNOWN && Math.min(limit, total - offset) < total ? 206 : 200;
  }

  private void range(long rows) {
    var all = total == UNKNOWN ? "*" : Long.toString(total);
    exchange.responseHeader(
        "Content-Range", rows <= 0 ? "*/" + all : offset + "-" + (offset + rows - 1) + "/" + all);
  }

  @Override
  public void started(Execution started) {
    execution = started;
    exchange.started(started);
  }

  @Override
  public int maxHeldRows() {
    return exchange.limits().maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    var answer = body();
    if (format == RowFormat.OBJECT && written > 0) {
      written++;
      return Demand.STOP;
    }
    try {
      quota.count();
      write(answer, row);
      quota.requireShort(answer.position());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
    written++;
    var running = execution;
    return running == null || format == RowFormat.OBJECT ? Demand.MORE : answer.demand(running);
  }

  private void write(ResponseBody answer, Row row) {
    var json = answer.json();
    if (csv != null) {
      csv.row(json, row, quota);
      return;
    }
    if (format == RowFormat.JSON && written > 0) {
      json.raw(',');
    }
    plan.shape().write(json, row, quota);
    if (format == RowFormat.NDJSON) {
      json.raw('\n');
    }
  }

  @Override
  public void completed(long affected) {
    var problem = failure;
    if (problem == null && format == RowFormat.OBJECT && written != 1) {
      problem = notOne();
    }
    if (problem != null) {
      RestProblems.answer(exchange, problem);
      return;
    }
    var answer = body();
    if (format == RowFormat.JSON) {
      answer.json().raw(']');
    }
    if (total == UNKNOWN && !answer.hasLeft()) {
      range(written);
    }
    answer.end();
  }

  private RestFailure notOne() {
    return new RestFailure(
        406,
        ErrorCode.NOT_ACCEPTABLE,
        "PGRST116",
        "Cannot coerce the result to a single JSON object",
        written == 0 ? "The result contains 0 rows" : "The result contains 2 rows or more",
        null);
  }

  @Override
  public void failed(EvitaException problem) {
    RestProblems.answer(exchange, failure == null ? problem : failure);
  }
}
