// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestProblems;
import dev.evita.externalapi.rest.request.RowWindow;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.RowWriter;
import org.jspecify.annotations.Nullable;

/**
 * One response: counts the rows if requested, then streams them.
 *
 * <p>The engine calls on one thread at a time, but not always on the same.
 */
public final class RestReadExecution implements RowSink, Runnable {

  private final Exchange exchange;
  private final ReadPlan plan;
  private final Arguments arguments;
  private final RowFormat format;
  private final RowWriter writer;
  private final RowWindow window;
  private final @Nullable NextPageFinder pages;
  private final Quota quota;

  private @Nullable ResponseBody body;
  private @Nullable Execution execution;
  private @Nullable RuntimeException failure;
  private boolean surplus;
  private long total = RowWindow.UNKNOWN;

  public RestReadExecution(
      Exchange exchange,
      ReadPlan plan,
      Arguments arguments,
      RowFormat format,
      RowWriter writer,
      RowWindow window) {
    this.exchange = exchange;
    this.plan = plan;
    this.arguments = arguments;
    this.format = format;
    this.writer = writer;
    this.window = window;
    this.pages = plan.keyset() == null ? null : new NextPageFinder(plan.keyset(), window.limit());
    this.quota = Quota.of(exchange.work().limits(), 0);
  }

  /** Whether it is guaranteed to complete shortly on the calling thread. */
  public boolean bounded() {
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

  /** Consumes the single row of the count, then starts reading the rows themselves. */
  private final class CountSink implements RowSink {
    @Override
    public void started(Execution started) {
      exchange.work().started(started);
    }

    @Override
    public Demand row(Row row) {
      total = row.longAt(0);
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      try {
        window.requireStart(total);
      } catch (RestFailure e) {
        exchange.response().header("Content-Range", "*/" + total);
        RestProblems.send(exchange, e);
        return;
      }
      plan.rows().run(arguments, null, RestReadExecution.this);
    }

    @Override
    public void failed(EvitaException problem) {
      RestProblems.send(exchange, problem);
    }
  }

  private ResponseBody body() {
    var open = body;
    if (open == null) {
      open = exchange.response().respond(window.status(total), format.contentType());
      body = open;
      if (total != RowWindow.UNKNOWN) {
        exchange.response().header("Content-Range", window.range(window.rows(total), total));
      }
      writer.begin(open.json());
    }
    return open;
  }

  @Override
  public void started(Execution started) {
    execution = started;
    exchange.work().started(started);
  }

  @Override
  public int maxHeldRows() {
    return exchange.work().limits().maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    var out = body();
    try {
      if (pages != null && !pages.shows(row, writer.rows())) {
        return Demand.STOP;
      }
      if (writer.isFull()) {
        surplus = true;
        return Demand.STOP;
      }
      quota.count();
      writer.row(out.json(), row, quota);
      quota.requireShort(out.position());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
    var running = execution;
    return running == null || isHeld(out) ? Demand.MORE : out.demand(running);
  }

  /** Whether it is sent as a whole: only then can its headers depend on the last row. */
  private boolean isHeld(ResponseBody out) {
    return format.single() || (pages != null && out.position() < NextPageFinder.LONGEST_BYTES);
  }

  @Override
  public void completed(long affected) {
    try {
      if (failure != null) {
        throw failure;
      }
      writer.requireFitting(surplus ? 2 : writer.rows());
      end(body());
    } catch (RuntimeException e) {
      RestProblems.send(exchange, e);
    }
  }

  private void end(ResponseBody out) {
    writer.end(out.json());
    if (!out.hasLeft()) {
      if (total == RowWindow.UNKNOWN) {
        exchange.response().header("Content-Range", window.range(writer.rows(), total));
      }
      if (pages != null && !exchange.request().method().equals("QUERY")) {
        exchange
            .response()
            .header("Link", pages.link(exchange.request().path(), exchange.request().query()));
      }
      tag(out);
    }
    out.end();
  }

  /**
   * A response that is partly sent has no tag, as the tag is known only after all of it is read.
   */
  private void tag(ResponseBody out) {
    var tag = writer.tag(out.json());
    exchange.response().header("ETag", tag.text());
    if (tag.isAmong(exchange.request().header("If-None-Match"))) {
      exchange.response().respond(304, format.contentType());
      exchange.response().header("Content-Type", null);
    }
  }

  @Override
  public void failed(EvitaException problem) {
    RestProblems.send(exchange, failure == null ? problem : failure);
  }
}
