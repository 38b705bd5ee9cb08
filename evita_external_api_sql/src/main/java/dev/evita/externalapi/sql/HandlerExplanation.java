// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.api.StatementPlan;
import dev.evita.externalapi.core.work.BlockingExecution;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import dev.evita.externalapi.sql.run.ChosenRow;
import dev.evita.externalapi.sql.run.RouteTable;
import dev.evita.externalapi.sql.run.SqlHandler;
import dev.evita.externalapi.sql.store.HandlerCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains which handlers a request matches, and how the engine executes them.
 *
 * @param handler its name
 * @param route the pattern that matches
 * @param priority those with a higher one run first
 * @param statements with the engine's plans; empty if a path group is not of its type, so that the
 *     handler is not for this request
 * @param time of one execution; null for a handler that may write, which is not executed
 * @param status of the row that it returned; null if it returned none, or was not executed
 */
public record HandlerExplanation(
    String handler,
    String route,
    int priority,
    List<StatementPlan> statements,
    @Nullable Duration time,
    @Nullable Integer status) {

  private static final int STATEMENTS = 1_000;

  public HandlerExplanation {
    statements = List.copyOf(statements);
  }

  /**
   * Explains a request, and executes the handlers that only read. Blocks.
   *
   * @param method in upper case
   * @param target path and query
   * @return the handlers that match, in the order in which they run
   * @throws EvitaException {@code INVALID_CONFIGURATION} for faulty handlers; {@code INVALID_VALUE}
   *     for the request; others of the engine
   */
  public static List<HandlerExplanation> of(
      Engine engine, SqlOptions options, String method, String target) {
    var statements = new Statements(engine, engine.catalog(), STATEMENTS);
    var texts = HandlerTexts.read(options, engine.catalog(), statements);
    var scope =
        new SqlHandler.Scope(
            statements,
            engine.catalog(),
            (query, arguments, sink) -> {
              throw new IllegalStateException("a handler that writes is not executed");
            });
    var routes = new RouteTable(new HandlerCompiler(scope, List.of()).compile(texts, false));
    var input = new HandlerInput(new ExplainedRequest(method, target), 1);
    var all = new ArrayList<HandlerExplanation>();
    var matches = routes.match(method, input.segments());
    matches.sort(Comparator.comparing(match -> match.handler().stage()));
    for (var match : matches) {
      if (match.handler() instanceof SqlHandler handler) {
        all.add(of(engine, handler, match, input));
      }
    }
    return all;
  }

  private static HandlerExplanation of(
      Engine engine, SqlHandler handler, RouteTable.Match match, HandlerInput input) {
    var arguments = handler.inputs().bind(input, match, null);
    var route = match.entry().pattern().toString();
    if (arguments == null) {
      return new HandlerExplanation(
          handler.name(), route, handler.priority(), List.of(), null, null);
    }
    var plans = engine.explain(handler.query().operation(), handler.explained(arguments));
    if (!handler.readOnly()) {
      return new HandlerExplanation(handler.name(), route, handler.priority(), plans, null, null);
    }
    var began = System.nanoTime();
    var outcome = run(handler, arguments);
    var time = Duration.ofNanos(System.nanoTime() - began);
    return new HandlerExplanation(
        handler.name(),
        route,
        handler.priority(),
        plans,
        time,
        outcome == null ? null : outcome.effectiveStatus(input.request().method()));
  }

  private static @Nullable HandlerOutcome run(SqlHandler handler, Arguments arguments) {
    var row = new ChosenRow(handler);
    BlockingExecution.run(handler.query(), arguments, row::add);
    return row.outcome();
  }
}
