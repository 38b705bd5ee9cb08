// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.routines;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.reads.RowCount;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.request.RowWindow;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.TransactionStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Calls a routine, and buffers its result. */
public final class CallStep implements TransactionStep, TransactionExecution.Statement {

  private final RoutineResources.Bound call;
  private final Preferences preferences;
  private final boolean readOnly;
  private final JsonWriter body = JsonWriter.inMemory();
  private @Nullable RowCount counting;
  private boolean begun;

  /**
   * @param readOnly whether it is executed read-only, whatever the routine declares
   */
  public CallStep(RoutineResources.Bound call, Preferences preferences, boolean readOnly) {
    this.call = call;
    this.preferences = preferences;
    this.readOnly = readOnly;
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  @Override
  public double cost(int estimatedRows) {
    return call.plan().cost().with(call.arguments());
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    var count = call.plan().count();
    if (count != null && counting == null) {
      counting = new RowCount(count, call.arguments(), call.window());
      return counting;
    }
    if (begun) {
      return null;
    }
    begun = true;
    call.writer().begin(body);
    return this;
  }

  @Override
  public Prepared prepared() {
    return call.plan().rows();
  }

  @Override
  public Arguments arguments() {
    return call.arguments();
  }

  @Override
  public void row(Row row, Quota held) {
    if (call.returnsResult()) {
      held.count();
      var before = body.size();
      call.writer().row(body, row, held);
      held.hold(body.size() - before);
      if (call.writer().rows() > preferences.maxAffected()) {
        throw new RestFailure(
            400,
            ErrorCode.INVALID_OPERATION,
            "PGRST124",
            "Query result exceeds max-affected preference constraint",
            "The routine returns more than " + preferences.maxAffected() + " rows",
            null);
      }
    }
  }

  @Override
  public void completed(long affected) {
    if (call.returnsResult()) {
      call.writer().requireFitting(call.writer().rows());
    }
    call.writer().end(body);
  }

  @Override
  public BufferedResponse response() {
    var total = total();
    var headers = new LinkedHashMap<String, String>();
    var applied = new ArrayList<>(preferences.applied());
    if (total == RowWindow.UNKNOWN) {
      applied.remove(Preferences.COUNTED);
    }
    if (!applied.isEmpty()) {
      headers.put("Preference-Applied", String.join(", ", applied));
    }
    var type = call.format().contentType();
    if (!call.returnsResult()) {
      return new BufferedResponse(204, type, headers, new byte[0]);
    }
    headers.put("Content-Range", call.window().range(call.writer().rows(), total));
    return new BufferedResponse(call.window().status(total), type, headers, body.take());
  }

  /**
   * A routine that may write is not called a second time for the count: its result is counted if
   * possible.
   */
  private long total() {
    if (counting != null) {
      return counting.total();
    }
    var all = preferences.count() && call.returnsResult() && call.window().equals(RowWindow.ALL);
    return all ? call.writer().rows() : RowWindow.UNKNOWN;
  }
}
