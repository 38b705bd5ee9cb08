// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import dev.evita.externalapi.sql.program.HandlerRequest;
import dev.evita.externalapi.sql.program.TransactionQueries;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A handler in Java: the code runs in the place of a statement. */
final class ProgramCall implements HandlerStatement, Prepared, HandlerRequest {
  private final ProgramHandler handler;
  private final RouteTable.Match match;
  private final HandlerInput input;
  private final Limits limits;
  private final Statements statements;
  private final BiConsumer<ProgramExecution, ErrorCode> cancelled;
  private @Nullable HandlerOutcome outcome;

  /**
   * @param cancelled receives an execution that is cancelled while it runs, and the reason
   */
  ProgramCall(
      ProgramHandler handler,
      RouteTable.Match match,
      HandlerInput input,
      Limits limits,
      Statements statements,
      BiConsumer<ProgramExecution, ErrorCode> cancelled) {
    this.cancelled = cancelled;
    this.handler = handler;
    this.match = match;
    this.input = input;
    this.limits = limits;
    this.statements = statements;
  }

  @Override
  public Prepared prepared() {
    return this;
  }

  @Override
  public Arguments arguments() {
    return Arguments.NONE;
  }

  @Override
  public void row(Row row, Quota held) {}

  @Override
  public void completed(long affected) {}

  @Override
  public @Nullable HandlerOutcome outcome() {
    return outcome;
  }

  @Override
  public void restart() {
    outcome = null;
  }

  @Override
  public Operation operation() {
    return Script.of(handler.name());
  }

  @Override
  public RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  public boolean bounded(Arguments arguments) {
    return false;
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    var execution = new ProgramExecution(cancelled);
    sink.started(execution);
    try {
      var response =
          handler
              .code()
              .handle(
                  this,
                  new TransactionQueries(limits, statements, transaction, execution::started));
      outcome = response == null ? null : ProgramOutcome.of(handler.name(), response);
    } catch (Throwable e) { // an Error would leave the transaction open, and the request
      execution.end();
      sink.failed(
          EvitaException.from(e) == e
              ? (EvitaException) e
              : new EvitaException(ErrorCode.INTERNAL, "Handler " + handler.name() + " failed", e));
      return;
    }
    execution.end();
    sink.completed(0);
  }

  @Override
  public String method() {
    return input.request().method();
  }

  @Override
  public String path() {
    return input.request().path();
  }

  @Override
  public String group(String name) {
    return match.group(name);
  }

  @Override
  public @Nullable String query(String name) {
    return input.query(name);
  }

  @Override
  public @Nullable String header(String name) {
    return input.header(name);
  }

  @Override
  public byte[] body() {
    return input.body().clone();
  }

  @Override
  public @Nullable String remoteAddress() {
    return input.request().remoteAddress();
  }
}
