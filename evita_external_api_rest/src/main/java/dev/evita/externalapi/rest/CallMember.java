// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.TransactionRun;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Calls a routine, and holds what it answers. */
final class CallMember implements Member, TransactionRun.Statement {

  private final Calls.Bound call;
  private final Preferences preferences;
  private final JsonWriter body = JsonWriter.inMemory();
  private boolean begun;

  CallMember(Calls.Bound call, Preferences preferences) {
    this.call = call;
    this.preferences = preferences;
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
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
    if (call.answers()) {
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
            "The routine answers more than " + preferences.maxAffected() + " rows",
            null);
      }
    }
  }

  @Override
  public void completed(long affected) {
    if (call.answers()) {
      call.writer().requireFitting(call.writer().rows());
    }
    call.writer().end(body);
  }

  @Override
  public Answer answer() {
    var headers = new LinkedHashMap<String, String>();
    if (!preferences.applied().isEmpty()) {
      headers.put("Preference-Applied", String.join(", ", preferences.applied()));
    }
    var type = call.format().contentType();
    return call.answers()
        ? new Answer(200, type, headers, body.take())
        : new Answer(204, type, headers, new byte[0]);
  }
}
