// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.Problems;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.ResponseBody;
import dev.evita.externalapi.core.Shape;
import dev.evita.externalapi.core.StepLoop;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One answer: runs the steps of a variant one after another ({@link StepLoop}) and writes their
 * rows as they come.
 */
final class Run implements RowSink, Runnable {

  private static final byte[] OPEN = Shape.bytes("{\"data\":");
  private static final byte[] NULL = Shape.bytes("null");

  private final Exchange exchange;
  private final Outlet outlet;
  private final Variant variant;
  private final Source.@Nullable Bound[] bound;
  private final Map<String, @Nullable Object> variables;
  private final Quota quota;
  private final int maxHeldRows;
  private final StepLoop loop = new StepLoop(this::step);

  private @Nullable ResponseBody body;
  private @Nullable ConnectionPage page;
  private @Nullable Execution execution;
  private @Nullable EvitaException failure;
  private final Errors errors = new Errors();

  /** Whether the step's value must be null for what has been reported already. */
  private boolean nulled;

  private boolean aborted;
  private int next;
  private int rowsOfStep;
  private long dataStart;
  private long valueStart;

  /**
   * @param rows how many were counted before, towards the same limit
   */
  Run(Exchange exchange, Outlet outlet, Planned planned, int rows) {
    this.exchange = exchange;
    this.outlet = outlet;
    this.variant = planned.variant();
    this.bound = planned.bound();
    this.variables = planned.variables();
    this.quota = Quota.of(exchange.limits(), rows);
    this.maxHeldRows = exchange.limits().maxHeldRows();
  }

  Plan plan() {
    return variant.plan();
  }

  /** Whether all steps surely end soon on the calling thread. */
  boolean bounded() {
    for (int i = 0; i < bound.length; i++) {
      var rows = bound[i];
      if (rows != null && !rows.prepared().bounded(rows.arguments())) {
        return false;
      }
      if (variant.steps().get(i).work() instanceof Step.Work.Schema(var field) && !field.ready()) {
        return false;
      }
    }
    return true;
  }

  private ResponseBody body() {
    var open = body;
    if (open == null) {
      open = outlet.open();
      body = open;
      open.json().raw(OPEN);
      dataStart = open.position();
    }
    return open;
  }

  /** Begins, or resumes after the client has read. */
  @Override
  public void run() {
    loop.run();
  }

  private boolean step() {
    var answer = body();
    if (next == bound.length) {
      if (!aborted) {
        finish(answer);
      }
      return false;
    }
    if (next > 0 && !answer.demand((Runnable) this)) {
      return false;
    }
    begin(answer, variant.steps().get(next));
    return true;
  }

  private void begin(ResponseBody answer, Step step) {
    rowsOfStep = 0;
    failure = null;
    nulled = false;
    answer.json().raw(step.before());
    valueStart = answer.position();
    var rows = bound[next];
    switch (step.work()) {
      case Step.Work.Schema(var field) -> introspect(answer, field);
      case Step.Work.Rows work when rows != null -> {
        if (work.list()) {
          answer.json().raw('[');
        }
        rows.prepared().run(rows.arguments(), null, this);
      }
      case Step.Work.Page(var shape, var part, var source) when rows != null -> {
        page = new ConnectionPage(shape, Objects.requireNonNull(rows.paging()), maxHeldRows);
        rows.prepared().run(rows.arguments(), null, this);
      }
      case Step.Work.PagePart part -> end(answer);
      case Step.Work.Stream stream -> throw new IllegalStateException("a stream runs in batches");
      case Step.Work.Rows work -> throw new IllegalStateException("not bound: " + work);
      case Step.Work.Page work -> throw new IllegalStateException("not bound: " + work);
      case Step.Work.Change work -> throw new IllegalStateException("no query: " + work);
    }
  }

  private void introspect(ResponseBody answer, IntrospectionField field) {
    try {
      answer.json().raw(field.answer(variables));
      quota.requireShort(answer.position());
    } catch (RuntimeException e) {
      failure = EvitaException.from(e);
    }
    end(answer);
  }

  @Override
  public void started(Execution started) {
    execution = started;
    exchange.started(started);
  }

  /** A page reads one row more than it has. */
  @Override
  public int maxHeldRows() {
    var paged = variant.steps().get(next).work() instanceof Step.Work.Page;
    return paged && maxHeldRows < Integer.MAX_VALUE ? maxHeldRows + 1 : maxHeldRows;
  }

  @Override
  public Demand row(Row row) {
    var answer = body();
    if (!(variant.steps().get(next).work() instanceof Step.Work.Rows work)) {
      return rowOfPage(answer, row);
    }
    if (!work.list() && rowsOfStep > 0) {
      return Demand.STOP;
    }
    var start = answer.position();
    try {
      quota.count();
      if (!write(answer, work, row)) {
        answer.rewind(start);
        return Demand.STOP;
      }
      quota.requireShort(answer.position());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      if (!answer.rewind(start)) {
        abort(answer);
      }
      return Demand.STOP;
    }
    rowsOfStep++;
    var running = execution;
    return running == null ? Demand.MORE : answer.demand(running);
  }

  /** Answers false where the row, though it must not, would have to be null. */
  private boolean write(ResponseBody answer, Step.Work.Rows work, Row row) {
    var json = answer.json();
    if (rowsOfStep > 0) {
      json.raw(',');
    }
    var start = answer.position();
    var counted = quota.rows();
    try {
      work.shape().write(json, row, quota);
      return true;
    } catch (EvitaException e) {
      if (e.code() != ErrorCode.STORED_VALUE_INVALID || !answer.rewind(start)) {
        throw e;
      }
      quota.backTo(counted);
      return writeTolerantly(json, work, row);
    }
  }

  private boolean writeTolerantly(JsonWriter json, Step.Work.Rows work, Row row) {
    var step = variant.steps().get(next);
    if (work.shape()
        .writeTolerantly(
            json,
            row,
            quota,
            (fault, way) -> errors.add(fault, step, work.list() ? rowsOfStep : -1, way))) {
      return true;
    }
    if (!work.list()) {
      json.raw(NULL);
      return true;
    }
    nulled = true;
    return false;
  }

  private Demand rowOfPage(ResponseBody answer, Row row) {
    var reading = Objects.requireNonNull(page);
    try {
      reading.add(row, quota);
      quota.requireShort(answer.position() + reading.bytes());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
    var running = execution;
    return running == null ? Demand.MORE : answer.demand(running);
  }

  @Override
  public void completed(long affected) {
    end(body());
  }

  @Override
  public void failed(EvitaException problem) {
    failure = problem;
    end(body());
  }

  /** The step's rows are all there, or will not come. */
  private void end(ResponseBody answer) {
    var step = variant.steps().get(Math.min(next, bound.length - 1));
    var problem = failure;
    execution = null;
    next++;
    if (aborted) {
      next = bound.length;
    } else if (problem != null) {
      fail(answer, step, problem);
    } else if (nulled) {
      writeNull(answer, step);
    } else {
      complete(answer, step.work());
    }
    loop.ended();
  }

  private void complete(ResponseBody answer, Step.Work work) {
    switch (work) {
      case Step.Work.Rows rows when rows.list() -> answer.json().raw(']');
      case Step.Work.Rows rows -> {
        if (rowsOfStep == 0) {
          answer.json().raw(NULL);
        }
      }
      case Step.Work.Page(var shape, var part, var source) -> writePart(answer, part);
      case Step.Work.PagePart(var part) -> writePart(answer, part);
      case Step.Work.Schema schema -> {
        // It was written when it was made.
      }
      case Step.Work.Change change -> throw new IllegalStateException("no query: " + change);
      case Step.Work.Stream stream -> throw new IllegalStateException("no query: " + stream);
    }
  }

  private void writePart(ResponseBody answer, int part) {
    Objects.requireNonNull(page).write(part, answer.json());
  }

  /**
   * Null takes the place of what failed, or of all data where the schema has no null there
   * (GraphQL, section 6.4.4). What has left already cannot be taken back: then a list ends at the
   * row that failed.
   */
  private void fail(ResponseBody answer, Step step, EvitaException problem) {
    if (problem.code() == ErrorCode.CLIENT_GONE) {
      abort(answer);
      return;
    }
    if ((problem.code() == ErrorCode.CATALOG_CHANGED && exchange.restart())
        || (isUnavailable(problem) && outlet.refuse(answer, problem))) {
      aborted = true;
      next = bound.length;
      return;
    }
    var list = step.work() instanceof Step.Work.Rows work && work.list();
    errors.add(exchange.report(problem), step, list && rowsOfStep > 0 ? rowsOfStep : -1, List.of());
    writeNull(answer, step);
  }

  private void writeNull(ResponseBody answer, Step step) {
    var list = step.work() instanceof Step.Work.Rows work && work.list();
    if (step.nullable() && answer.rewind(valueStart)) {
      answer.json().raw(NULL);
    } else if (answer.rewind(dataStart)) {
      answer.json().raw(NULL);
      dataStart = -1;
      next = bound.length;
    } else if (list) {
      answer.json().raw(']');
    } else if (answer.rewind(valueStart)) {
      answer.json().raw(NULL);
    } else {
      abort(answer);
    }
  }

  /** Whether what else was asked for fares no better, as the server or the database is at fault. */
  static boolean isUnavailable(EvitaException problem) {
    return Problems.status(problem.code()) >= 503;
  }

  /** From here on nothing may be written: the buffer is not ours any more. */
  private void abort(ResponseBody answer) {
    aborted = true;
    next = bound.length;
    answer.abort();
  }

  private void finish(ResponseBody answer) {
    var json = answer.json();
    if (dataStart >= 0) {
      json.raw(variant.end());
    }
    if (!errors.isEmpty()) {
      outlet.failed(answer);
      json.raw(',');
      GraphQlError.write(json, errors.all());
    }
    json.raw('}');
    outlet.end(answer, quota.rows());
  }
}
