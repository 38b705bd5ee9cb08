// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.transaction.StoredResponse;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.graphql.request.GraphQlError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The execution of one mutation: its root fields one after another, in one transaction. */
final class MutationExecution implements IdempotentWrite.Write {

  private final Response response;
  private final ResponseTarget responseTarget;
  private final MutationPlan plan;
  private final Quota held;
  private List<MutationWork> works;

  private @Nullable ResponseBody body;
  private long start;
  private int field;

  /**
   * @param held counts the data buffered for the response
   */
  MutationExecution(
      Response response, ResponseTarget responseTarget, MutationPlan plan, Quota held) {
    this.response = response;
    this.responseTarget = responseTarget;
    this.plan = plan;
    this.held = held;
    this.works = plan.works();
  }

  @Override
  public boolean sharesCommit() {
    return true;
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    while (field < works.size()) {
      var next = works.get(field).next();
      if (next != null) {
        return next;
      }
      field++;
    }
    return null;
  }

  @Override
  public void finish() {
    var open = opened();
    var json = open.json();
    json.raw("{\"data\":");
    var steps = plan.variant().steps();
    for (int i = 0; i < works.size(); i++) {
      json.raw(steps.get(i).before());
      works.get(i).write(json);
    }
    json.raw(plan.variant().end());
    json.raw('}');
  }

  @Override
  public StoredResponse response() {
    finish();
    var text = Objects.requireNonNull(body).textSince(start);
    return new StoredResponse(200, "application/json", Map.of(), text);
  }

  @Override
  public void replay(StoredResponse stored) {
    response.header(IdempotencyKeys.REPLAYED, "true");
    var open = opened();
    open.json().raw(stored.body().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void done() {
    var written = body;
    if (written == null) {
      throw new IllegalStateException("no response was written");
    }
    responseTarget.end(written, held.rows());
  }

  @Override
  public boolean restart() {
    works = plan.bind();
    field = 0;
    return true;
  }

  /** Null replaces all data: the fields before the failed one are rolled back, too. */
  @Override
  public void failed(Throwable failed) {
    var problem = EvitaException.from(failed);
    if (problem.code() == ErrorCode.CATALOG_CHANGED && response.work().restart()) {
      return;
    }
    var open = opened();
    if (problem.code() == ErrorCode.CLIENT_GONE) {
      open.abort();
      return;
    }
    // The idempotency key belongs to the request, not to a field.
    var ofRequest = problem.code() == HttpErrorCode.IDEMPOTENCY_KEY_REUSED;
    if ((ofRequest || QueryExecution.isUnavailable(problem))
        && responseTarget.refuse(open, problem)) {
      return;
    }
    responseTarget.failed(open);
    var reported = response.work().report(failed);
    var error =
        field < works.size()
            ? plan.variant().steps().get(field).position().error(reported, List.of())
            : GraphQlError.of(reported, List.of(), List.of());
    write(open.json(), error);
    responseTarget.end(open, held.rows());
  }

  /** Returns the body at the position where the response begins. */
  private ResponseBody opened() {
    var open = body;
    if (open == null) {
      open = responseTarget.open();
      body = open;
      start = open.position();
    } else {
      open.rewind(start);
    }
    return open;
  }

  private static void write(JsonWriter json, GraphQlError error) {
    json.raw("{\"data\":null,");
    GraphQlError.write(json, List.of(error));
    json.raw('}');
  }
}
