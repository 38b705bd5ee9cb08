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
 * One answer: counts the rows where that is asked for, then writes them as they come.
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

  /** Whether it surely ends soon on the calling thread. */
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

  /** Takes the one row of the count, and then has the rows themselves read. */
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
        RestProblems.answer(exchange, e);
        return;
      }
      plan.rows().run(arguments, null, RestReadExecution.this);
    }

    @Override
    public void failed(EvitaException problem) {
      RestProblems.answer(exchange, problem);
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
    var answer = body();
    try {
      if (pages != null && !pages.shows(row, writer.rows())) {
        return Demand.STOP;
      }
      if (writer.isFull()) {
        surplus = true;
        return Demand.STOP;
      }
      quota.count();
      writer.row(answer.json(), row, quota);
      quota.requireShort(answer.position());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
    var running = execution;
    return running == null || isHeld(answer) ? Demand.MORE : answer.demand(running);
  }

  /** Whether it is sent as a whole: then its headers can tell of its end. */
  private boolean isHeld(ResponseBody answer) {
    return format.single() || (pages != null && answer.position() < NextPageFinder.LONGEST_BYTES);
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
      RestProblems.answer(exchange, e);
    }
  }

  private void end(ResponseBody answer) {
    writer.end(answer.json());
    if (!answer.hasLeft()) {
      if (total == RowWindow.UNKNOWN) {
        exchange.response().header("Content-Range", window.range(writer.rows(), total));
      }
      if (pages != null && !exchange.request().method().equals("QUERY")) {
        exchange
            .response()
            .header("Link", pages.link(exchange.request().path(), exchange.request().query()));
      }
      tag(answer);
    }
    answer.end();
  }

  /** What has left already has no tag, as it is not known before all of it is read. */
  private void tag(ResponseBody answer) {
    var tag = writer.tag(answer.json());
    exchange.response().header("ETag", tag.text());
    if (tag.isAmong(exchange.request().header("If-None-Match"))) {
      exchange.response().respond(304, format.contentType());
      exchange.response().header("Content-Type", null);
    }
  }

  @Override
  public void failed(EvitaException problem) {
    RestProblems.answer(exchange, failure == null ? problem : failure);
  }
}
