// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.exchange.Problems;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.core.work.StepLoop;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.schema.IntrospectionField;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One answer: runs the steps of a query one after another ({@link StepLoop}) and writes their rows
 * as they come.
 */
final class QueryExecution implements RowSink, Runnable {

  private static final byte[] OPEN = JsonShape.bytes("{\"data\":");
  private static final byte[] NULL = JsonShape.bytes("null");

  private final Response response;
  private final ResponseTarget outlet;
  private final QueryPlan plan;
  private final BoundStep[] steps;
  private final Quota quota;
  private final int maxHeldRows;
  private final StepLoop loop = new StepLoop(this::step);

  private @Nullable ResponseBody body;
  private @Nullable ConnectionPage page;
  private @Nullable Execution execution;
  private @Nullable EvitaException failure;
  private @Nullable ErrorCollector errors;

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
  QueryExecution(Response response, ResponseTarget outlet, QueryPlan plan, int rows) {
    this.response = response;
    this.outlet = outlet;
    this.plan = plan;
    this.steps = plan.steps();
    this.quota = Quota.of(response.work().limits(), rows);
    this.maxHeldRows = response.work().limits().maxHeldRows();
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
    if (next == steps.length) {
      if (!aborted) {
        finish(answer);
      }
      return false;
    }
    if (next > 0 && !answer.demand((Runnable) this)) {
      return false;
    }
    begin(answer, steps[next]);
    return true;
  }

  private void begin(ResponseBody answer, BoundStep step) {
    rowsOfStep = 0;
    failure = null;
    nulled = false;
    answer.json().raw(step.step().before());
    valueStart = answer.position();
    switch (step) {
      case BoundStep.Rows rows -> {
        if (rows.source().list()) {
          answer.json().raw('[');
        }
        read(rows.bound());
      }
      case BoundStep.Page paged -> {
        page = new ConnectionPage(paged.shape(), paged.paging(), maxHeldRows);
        read(paged.bound());
      }
      case BoundStep.PagePart part -> end(answer);
      case BoundStep.Schema schema -> introspect(answer, schema.field());
    }
  }

  private void read(RowSource.Bound bound) {
    bound.prepared().run(bound.arguments(), null, this);
  }

  private void introspect(ResponseBody answer, IntrospectionField field) {
    try {
      answer.json().raw(field.answer(plan.variables()));
      quota.requireShort(answer.position());
    } catch (RuntimeException e) {
      failure = EvitaException.from(e);
    }
    end(answer);
  }

  @Override
  public void started(Execution started) {
    execution = started;
    response.work().started(started);
  }

  /** A page reads one row more than it has. */
  @Override
  public int maxHeldRows() {
    var paged = steps[next] instanceof BoundStep.Page;
    return paged && maxHeldRows < Integer.MAX_VALUE ? maxHeldRows + 1 : maxHeldRows;
  }

  @Override
  public Demand row(Row row) {
    var answer = body();
    if (!(steps[next] instanceof BoundStep.Rows rows)) {
      return rowOfPage(answer, row);
    }
    if (!rows.source().list() && rowsOfStep > 0) {
      return Demand.STOP;
    }
    var start = answer.position();
    try {
      quota.count();
      if (!write(answer, rows, row)) {
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
  private boolean write(ResponseBody answer, BoundStep.Rows rows, Row row) {
    var json = answer.json();
    if (rowsOfStep > 0) {
      json.raw(',');
    }
    var start = answer.position();
    var counted = quota.rows();
    try {
      rows.source().shape().write(json, row, quota);
      return true;
    } catch (EvitaException e) {
      if (e.code() != ErrorCode.STORED_VALUE_INVALID || !answer.rewind(start)) {
        throw e;
      }
      quota.backTo(counted);
      return writeTolerantly(json, rows, row);
    }
  }

  private boolean writeTolerantly(JsonWriter json, BoundStep.Rows rows, Row row) {
    var list = rows.source().list();
    var field = rows.step().position();
    if (rows.source()
        .shape()
        .writeTolerantly(
            json,
            row,
            quota,
            (fault, way) -> errors().add(fault, field, list ? rowsOfStep : -1, way))) {
      return true;
    }
    if (!list) {
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
    var step = steps[Math.min(next, steps.length - 1)];
    var problem = failure;
    execution = null;
    next++;
    if (aborted) {
      next = steps.length;
    } else if (problem != null) {
      fail(answer, step, problem);
    } else if (nulled) {
      writeNull(answer, step);
    } else {
      complete(answer, step);
    }
    loop.ended();
  }

  private void complete(ResponseBody answer, BoundStep step) {
    switch (step) {
      case BoundStep.Rows rows when rows.source().list() -> answer.json().raw(']');
      case BoundStep.Rows rows -> {
        if (rowsOfStep == 0) {
          answer.json().raw(NULL);
        }
      }
      case BoundStep.Page read -> writePart(answer, 0);
      case BoundStep.PagePart further -> writePart(answer, further.part());
      case BoundStep.Schema schema -> {
        // It was written when it was made.
      }
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
  private void fail(ResponseBody answer, BoundStep step, EvitaException problem) {
    if (problem.code() == ErrorCode.CLIENT_GONE) {
      abort(answer);
      return;
    }
    if ((problem.code() == ErrorCode.CATALOG_CHANGED && response.work().restart())
        || (isUnavailable(problem) && outlet.refuse(answer, problem))) {
      aborted = true;
      next = steps.length;
      return;
    }
    errors()
        .add(
            response.work().report(problem),
            step.step().position(),
            isList(step) && rowsOfStep > 0 ? rowsOfStep : -1,
            List.of());
    writeNull(answer, step);
  }

  private ErrorCollector errors() {
    var known = errors;
    if (known == null) {
      known = new ErrorCollector();
      errors = known;
    }
    return known;
  }

  private static boolean isList(BoundStep step) {
    return step instanceof BoundStep.Rows rows && rows.source().list();
  }

  private void writeNull(ResponseBody answer, BoundStep step) {
    if (step.step().nullable() && answer.rewind(valueStart)) {
      answer.json().raw(NULL);
    } else if (answer.rewind(dataStart)) {
      answer.json().raw(NULL);
      dataStart = -1;
      next = steps.length;
    } else if (isList(step)) {
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
    next = steps.length;
    answer.abort();
  }

  private void finish(ResponseBody answer) {
    var json = answer.json();
    if (dataStart >= 0) {
      json.raw(plan.variant().end());
    }
    if (errors != null) {
      outlet.failed(answer);
      json.raw(',');
      GraphQlError.write(json, errors.all());
    }
    json.raw('}');
    outlet.end(answer, quota.rows());
  }
}
