// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.externalapi.core.carpool.ContinuingSink;
import dev.evita.externalapi.core.error.HttpStatuses;
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
 * One response: runs the steps of a query one after another ({@link StepLoop}) and streams their
 * rows.
 */
final class QueryExecution implements ContinuingSink, Runnable {

  private static final byte[] OPEN = JsonShape.bytes("{\"data\":");
  private static final byte[] NULL = JsonShape.bytes("null");

  private final Response response;
  private final ResponseTarget responseTarget;
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

  /** Whether the step's value must be null because of an error that is reported already. */
  private boolean nulled;

  private boolean aborted;
  private int next;
  private int rowsOfStep;
  private long dataStart;
  private long valueStart;

  /**
   * @param rows the number of rows counted before, towards the same limit
   */
  QueryExecution(Response response, ResponseTarget responseTarget, QueryPlan plan, int rows) {
    this.response = response;
    this.responseTarget = responseTarget;
    this.plan = plan;
    this.steps = plan.steps();
    this.quota = Quota.of(response.work().limits(), rows);
    this.maxHeldRows = response.work().limits().maxHeldRows();
  }

  private ResponseBody body() {
    var open = body;
    if (open == null) {
      open = responseTarget.open();
      body = open;
      open.json().raw(OPEN);
      dataStart = open.position();
    }
    return open;
  }

  /** Starts, or resumes after the client has read. */
  @Override
  public void run() {
    loop.run();
  }

  private boolean step() {
    var out = body();
    if (next == steps.length) {
      if (!aborted) {
        finish(out);
      }
      return false;
    }
    if (next > 0 && !out.demand((Runnable) this)) {
      return false;
    }
    begin(out, steps[next]);
    return true;
  }

  private void begin(ResponseBody out, BoundStep step) {
    rowsOfStep = 0;
    failure = null;
    nulled = false;
    out.json().raw(step.step().before());
    valueStart = out.position();
    switch (step) {
      case BoundStep.Rows rows -> {
        if (rows.source().list()) {
          out.json().raw('[');
        }
        read(rows.bound());
      }
      case BoundStep.Page paged -> {
        page = new ConnectionPage(paged.shape(), paged.paging(), maxHeldRows);
        read(paged.bound());
      }
      case BoundStep.PagePart part -> end(out);
      case BoundStep.Schema schema -> introspect(out, schema.field());
    }
  }

  private void read(RowSource.Bound bound) {
    bound.prepared().run(bound.arguments(), null, this);
  }

  private void introspect(ResponseBody out, IntrospectionField field) {
    try {
      out.json().raw(field.result(plan.variables()));
      quota.requireShort(out.position());
    } catch (RuntimeException e) {
      failure = EvitaException.from(e);
    }
    end(out);
  }

  @Override
  public void started(Execution started) {
    execution = started;
    response.work().started(started);
  }

  @Override
  public boolean continues() {
    return next + 1 < steps.length;
  }

  /** One row more than the page has is read. */
  @Override
  public int maxHeldRows() {
    var paged = steps[next] instanceof BoundStep.Page;
    return paged && maxHeldRows < Integer.MAX_VALUE ? maxHeldRows + 1 : maxHeldRows;
  }

  @Override
  public Demand row(Row row) {
    var out = body();
    if (!(steps[next] instanceof BoundStep.Rows rows)) {
      return rowOfPage(out, row);
    }
    if (!rows.source().list() && rowsOfStep > 0) {
      return Demand.STOP;
    }
    var start = out.position();
    try {
      quota.count();
      if (!write(out, rows, row)) {
        out.rewind(start);
        return Demand.STOP;
      }
      quota.requireShort(out.position());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      if (!out.rewind(start)) {
        abort(out);
      }
      return Demand.STOP;
    }
    rowsOfStep++;
    var running = execution;
    return running == null ? Demand.MORE : out.demand(running);
  }

  /** Returns false if the row would have to be null although its type is non-null. */
  private boolean write(ResponseBody out, BoundStep.Rows rows, Row row) {
    var json = out.json();
    if (rowsOfStep > 0) {
      json.raw(',');
    }
    var start = out.position();
    var counted = quota.rows();
    try {
      rows.source().shape().write(json, row, quota);
      return true;
    } catch (EvitaException e) {
      if (e.code() != ErrorCode.STORED_VALUE_INVALID || !out.rewind(start)) {
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

  private Demand rowOfPage(ResponseBody out, Row row) {
    var reading = Objects.requireNonNull(page);
    try {
      reading.add(row, quota);
      quota.requireShort(out.position() + reading.bytes());
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
    var running = execution;
    return running == null ? Demand.MORE : out.demand(running);
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

  /** The step's rows are complete, or will not arrive. */
  private void end(ResponseBody out) {
    var step = steps[Math.min(next, steps.length - 1)];
    var problem = failure;
    execution = null;
    next++;
    if (aborted) {
      next = steps.length;
    } else if (problem != null) {
      fail(out, step, problem);
    } else if (nulled) {
      writeNull(out, step);
    } else {
      complete(out, step);
    }
    loop.ended();
  }

  private void complete(ResponseBody out, BoundStep step) {
    switch (step) {
      case BoundStep.Rows rows when rows.source().list() -> out.json().raw(']');
      case BoundStep.Rows rows -> {
        if (rowsOfStep == 0) {
          out.json().raw(NULL);
        }
      }
      case BoundStep.Page read -> writePart(out, 0);
      case BoundStep.PagePart further -> writePart(out, further.part());
      case BoundStep.Schema schema -> {
        // It was written when it was created.
      }
    }
  }

  private void writePart(ResponseBody out, int part) {
    Objects.requireNonNull(page).write(part, out.json());
  }

  /**
   * Null replaces the failed value, or all data if the schema does not allow null there (GraphQL,
   * section 6.4.4). Data that has been sent cannot be withdrawn: in that case a list ends at the
   * failed row.
   */
  private void fail(ResponseBody out, BoundStep step, EvitaException problem) {
    if (problem.code() == ErrorCode.CLIENT_GONE) {
      abort(out);
      return;
    }
    if ((problem.code() == ErrorCode.CATALOG_CHANGED && response.work().restart())
        || (isUnavailable(problem) && responseTarget.refuse(out, problem))) {
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
    writeNull(out, step);
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

  private void writeNull(ResponseBody out, BoundStep step) {
    if (step.step().nullable() && out.rewind(valueStart)) {
      out.json().raw(NULL);
    } else if (out.rewind(dataStart)) {
      out.json().raw(NULL);
      dataStart = -1;
      next = steps.length;
    } else if (isList(step)) {
      out.json().raw(']');
    } else if (out.rewind(valueStart)) {
      out.json().raw(NULL);
    } else {
      abort(out);
    }
  }

  /**
   * Whether the remaining fields would fail as well, as the server or the database is the cause.
   */
  static boolean isUnavailable(EvitaException problem) {
    return HttpStatuses.of(problem.code()) >= 503;
  }

  /** Nothing may be written from here on: the buffer is no longer owned. */
  private void abort(ResponseBody out) {
    aborted = true;
    next = steps.length;
    out.abort();
  }

  private void finish(ResponseBody out) {
    var json = out.json();
    if (dataStart >= 0) {
      json.raw(plan.variant().end());
    }
    if (errors != null) {
      responseTarget.failed(out);
      json.raw(',');
      GraphQlError.write(json, errors.all());
    }
    json.raw('}');
    responseTarget.end(out, quota.rows());
  }
}
