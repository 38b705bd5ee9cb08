// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.IdempotencyKeys;
import dev.evita.externalapi.core.IdempotentWrite;
import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.Quota;
import dev.evita.externalapi.core.ResponseBody;
import dev.evita.externalapi.core.Statements;
import dev.evita.externalapi.core.StoredAnswer;
import dev.evita.externalapi.core.TransactionRun;
import graphql.language.SourceLocation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One mutation: its root fields one after another, in one transaction. */
final class MutationRun implements IdempotentWrite.Write, Runnable {

  private final Exchange exchange;
  private final Outlet outlet;
  private final Statements statements;
  private final Variant variant;
  private final List<MutationWork> works;
  private final Quota held;
  private final IdempotentWrite.@Nullable Key key;

  private @Nullable ResponseBody body;
  private long start;
  private int field;

  /**
   * @param rows how many were counted before, towards the same limit
   * @param key under which the answer is stored; null for none
   */
  MutationRun(
      Exchange exchange,
      Outlet outlet,
      Statements statements,
      Planned planned,
      int rows,
      IdempotentWrite.@Nullable Key key) {
    this.exchange = exchange;
    this.outlet = outlet;
    this.statements = statements;
    this.variant = planned.variant();
    this.works = planned.works();
    this.held = Quota.held(exchange.limits(), rows);
    this.key = key;
  }

  @Override
  public void run() {
    if (key == null) {
      new TransactionRun(exchange, statements, held, this).run();
    } else {
      key.run(exchange, statements, held, this);
    }
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
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
    var open = outlet.open();
    body = open;
    start = open.position();
    var json = open.json();
    json.raw("{\"data\":");
    for (int i = 0; i < works.size(); i++) {
      json.raw(variant.steps().get(i).before());
      works.get(i).write(json);
    }
    json.raw(variant.end());
    json.raw('}');
  }

  @Override
  public StoredAnswer answer() {
    finish();
    var text = Objects.requireNonNull(body).textSince(start);
    return new StoredAnswer(200, "application/json", Map.of(), text);
  }

  @Override
  public void replay(StoredAnswer stored) {
    exchange.responseHeader(IdempotencyKeys.REPLAYED, "true");
    var open = outlet.open();
    body = open;
    start = open.position();
    open.json().raw(stored.body().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void done() {
    var written = body;
    if (written == null) {
      throw new IllegalStateException("no answer was written");
    }
    outlet.end(written, held.rows());
  }

  /** Null takes the place of all data: the fields before the one that failed are undone, too. */
  @Override
  public void failed(Throwable failed) {
    var problem = EvitaException.from(failed);
    if (problem.code() == ErrorCode.CATALOG_CHANGED && exchange.restart()) {
      return;
    }
    var open = reopened();
    if (problem.code() == ErrorCode.CLIENT_GONE) {
      open.abort();
      return;
    }
    // The key is the request's, not a field's.
    var ofRequest = problem.code() == ErrorCode.IDEMPOTENCY_KEY_REUSED;
    if ((ofRequest || Run.isUnavailable(problem)) && outlet.refuse(open, problem)) {
      return;
    }
    outlet.failed(open);
    var step = field < works.size() ? variant.steps().get(field) : null;
    var at = step == null ? null : step.at();
    var error =
        GraphQlError.of(
            exchange.report(failed),
            at == null ? List.<SourceLocation>of() : List.of(at),
            step == null ? List.of() : List.copyOf(step.path()));
    write(open.json(), error);
    outlet.end(open, held.rows());
  }

  /** The body at the place where the answer begins. */
  private ResponseBody reopened() {
    var begun = body;
    if (begun == null) {
      return outlet.open();
    }
    begun.rewind(start);
    return begun;
  }

  private static void write(JsonWriter json, GraphQlError error) {
    json.raw("{\"data\":null,");
    GraphQlError.write(json, List.of(error));
    json.raw('}');
  }
}
