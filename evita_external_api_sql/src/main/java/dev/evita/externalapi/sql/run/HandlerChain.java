// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.carpool.ContinuingSink;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.EngineCall;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
import dev.evita.externalapi.sql.declaration.Stage;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.inputs.RequestInputs;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of one request, one after another.
 *
 * <pre>
 * before* --no row, headers alone--> handler* --no row--> none left: a static file, or 404
 *    '--------- a response ------------'--- row ---> after* ---> sent
 * </pre>
 *
 * <p>A read-only handler executes in autocommit; any other in a transaction of its own, which is
 * committed if it returned a row, before the next handler runs or the response is sent, and rolled
 * back otherwise. Used by one thread at a time, not always the same.
 */
public final class HandlerChain implements Runnable, RequestInputs.ResponseInput {

  private static final Logger LOG = LoggerFactory.getLogger(HandlerChain.class);

  /**
   * What all requests of an epoch share.
   *
   * @param unbounded the history of what never runs on an I/O thread, which is empty
   */
  public record Services(Statements statements, OutcomeSender sender, PlacementHistory unbounded) {

    /** Returns the same with another sender. */
    public Services with(OutcomeSender other) {
      return new Services(statements, other, unbounded);
    }
  }

  private final Exchange exchange;
  private final HandlerInput input;
  private final List<RouteTable.Match> matches;
  private final Services services;
  private final OutcomeSender sender;
  private final @Nullable Arguments[] bound;
  private boolean bounded;
  private int next;
  private HandlerOutcome added = HandlerOutcome.EMPTY;
  private @Nullable HandlerOutcome result;
  private String responder = "";

  /** The handler that named what is sent: its file, its upstream. */
  private String author = "";

  /**
   * @param matches all handlers of the request, those of each stage in the order in which they run
   */
  public HandlerChain(
      Exchange exchange, HandlerInput input, List<RouteTable.Match> matches, Services services) {
    this.exchange = exchange;
    this.input = input;
    this.matches = matches;
    this.services = services;
    this.sender = services.sender();
    this.bound = new Arguments[matches.size()];
  }

  /** Whether all handlers certainly end soon on the calling thread. */
  public boolean bounded() {
    for (int i = 0; i < matches.size(); i++) {
      if (!(matches.get(i).handler() instanceof SqlHandler handler)
          || handler.stage() == Stage.AFTER
          || handler.columns().mayBlock()) {
        return false;
      }
      try {
        var arguments = bind(i, handler);
        if (arguments != null && !handler.query().bounded(arguments)) {
          return false;
        }
      } catch (EvitaException e) {
        return false; // reported when it is this handler's turn, which an earlier one may prevent
      }
    }
    bounded = true;
    return true;
  }

  /** The history of the handler that runs first. */
  public PlacementHistory history() {
    return matches.getFirst().handler() instanceof SqlHandler handler
        ? handler.placement()
        : services.unbounded();
  }

  private @Nullable Arguments bind(int index, SqlHandler handler) {
    var known = bound[index];
    if (known == null) {
      known = handler.inputs().bind(input, matches.get(index), this);
      bound[index] = known;
    }
    return known;
  }

  @Override
  public void run() {
    try {
      step();
    } catch (RuntimeException | StackOverflowError e) {
      fail(responder, e);
    }
  }

  private void step() {
    while (next < matches.size()) {
      var index = next++;
      var handler = matches.get(index).handler();
      if (isDue(handler.stage()) && begin(index, handler)) {
        return;
      }
    }
    var outcome = result;
    if (outcome == null && bounded) {
      exchange.work().dispatch(services.unbounded(), false, this::sendUnhandled);
    } else if (outcome == null) {
      sender.sendUnhandled(exchange, input, added);
    } else {
      responder = author;
      sender.send(exchange, input, author, outcome);
    }
  }

  /** On a worker, as it reads files. */
  private void sendUnhandled() {
    try {
      sender.sendUnhandled(exchange, input, added);
    } catch (RuntimeException e) {
      exchange.fail(e);
    }
  }

  private boolean isDue(Stage stage) {
    return (stage == Stage.AFTER) == (result != null);
  }

  /** Returns false if the handler is not for this request. */
  private boolean begin(int index, Handler handler) {
    var timeout = handler.timeout();
    if (timeout != null) {
      exchange.work().limit(timeout);
    }
    responder = handler.name();
    switch (handler) {
      case BrokenHandler broken -> throw broken.failure();
      case ProgramHandler program -> {
        var answered = new AtomicBoolean();
        var call =
            new ProgramCall(
                program,
                matches.get(index),
                input,
                exchange.work().limits(),
                services.statements(),
                (execution, reason) -> awaitReturn(program, execution, reason, answered));
        transaction(program, call, answered);
      }
      case SqlHandler sql -> {
        var arguments = bind(index, sql);
        if (arguments == null) {
          return false;
        }
        if (sql.readOnly() || sql.isSetBased()) {
          sql.query().run(arguments, null, new Reading(sql));
        } else {
          transaction(sql, new WritingStatement(sql, arguments), new AtomicBoolean());
        }
      }
    }
    return true;
  }

  /**
   * Code that does not return in time after its cancellation is left alone, and the client is
   * answered; its transaction is rolled back when it returns.
   */
  private void awaitReturn(
      ProgramHandler program,
      ProgramExecution execution,
      ErrorCode reason,
      AtomicBoolean answered) {
    var work = exchange.work();
    var unused =
        work.dispatcher()
            .resumeLater(
                work,
                EngineCall.GRACE.toNanos(),
                () -> {
                  if (execution.isRunning() && answered.compareAndSet(false, true)) {
                    fail(program.name(), Work.failure(reason));
                  }
                });
  }

  private void transaction(Handler handler, HandlerStatement statement, AtomicBoolean answered) {
    var held = Quota.held(exchange.work().limits(), 0);
    new TransactionExecution(
            exchange.work(),
            services.statements(),
            held,
            new Enclosed(handler, statement, answered))
        .run();
  }

  /** A handler has ended. */
  private void ended(Handler handler, @Nullable HandlerOutcome outcome) {
    try {
      if (outcome != null) {
        accept(handler, outcome);
      }
      step();
    } catch (RuntimeException | StackOverflowError e) {
      fail(responder, e);
    }
  }

  private void accept(Handler handler, HandlerOutcome outcome) {
    var rendered = sender.rendered(handler.name(), outcome);
    var before = result;
    if (before == null || rendered.file() != null || rendered.upstream() != null) {
      author = handler.name();
    }
    if (before != null) {
      result = before.overriddenBy(rendered);
    } else if (handler.stage() == Stage.BEFORE && rendered.isHeadersOnly()) {
      added = added.overriddenBy(rendered);
    } else {
      result = added.overriddenBy(rendered);
    }
  }

  private void fail(String handler, Throwable problem) {
    var known = EvitaException.from(problem);
    if (known.code() == ErrorCode.CATALOG_CHANGED && exchange.work().restart()) {
      return;
    }
    var category = known.code().category();
    if (known.code() == ErrorCode.DEADLINE_EXCEEDED
        || category == ErrorCode.Category.INTERNAL
        || (category == ErrorCode.Category.EXTERNAL && known.code() != ErrorCode.CLIENT_GONE)) {
      LOG.warn("Handler {} failed: {}: {}", handler, known.code().name(), known.publicMessage());
    }
    exchange.fail(problem);
  }

  @Override
  public @Nullable Object response(String column) {
    var outcome = result;
    if (outcome == null) {
      return null;
    }
    return switch (column) {
      case "response_status" -> Long.valueOf(outcome.effectiveStatus(input.request().method()));
      case "response_headers" -> outcome.headersAsJson();
      case "response_content_type" -> outcome.contentType();
      default -> outcome.body() == null ? null : new String(outcome.body(), StandardCharsets.UTF_8);
    };
  }

  /** A handler that only reads, or one whose batch has a transaction of its own. */
  private final class Reading implements ContinuingSink {
    private final SqlHandler handler;
    private final Quota quota = Quota.of(exchange.work().limits(), 0);
    private final ChosenRow chosen;
    private @Nullable Throwable failure;

    Reading(SqlHandler handler) {
      this.handler = handler;
      this.chosen = new ChosenRow(handler);
    }

    @Override
    public boolean continues() {
      return next < matches.size() || handler.columns().mayBlock();
    }

    @Override
    public void started(Execution execution) {
      exchange.work().started(execution);
    }

    @Override
    public int maxHeldRows() {
      return exchange.work().limits().maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      try {
        quota.count();
        return chosen.add(row) ? Demand.MORE : Demand.STOP;
      } catch (RuntimeException | StackOverflowError e) {
        failure = e;
        return Demand.STOP;
      }
    }

    @Override
    public void completed(long affected) {
      var problem = failure;
      if (problem == null) {
        ended(handler, chosen.outcome());
      } else {
        fail(handler.name(), problem);
      }
    }

    @Override
    public void failed(EvitaException problem) {
      fail(handler.name(), failure == null ? problem : failure);
    }
  }

  /** A transaction around a handler. */
  private final class Enclosed implements TransactionExecution.Task {
    private final Handler handler;
    private final HandlerStatement statement;
    private final AtomicBoolean answered;
    private boolean begun;

    /**
     * @param answered whether the client was answered already, or is about to be
     */
    Enclosed(Handler handler, HandlerStatement statement, AtomicBoolean answered) {
      this.handler = handler;
      this.statement = statement;
      this.answered = answered;
    }

    @Override
    public TransactionOptions options() {
      return new TransactionOptions(TransactionOptions.Isolation.DEFAULT, handler.readOnly());
    }

    @Override
    public TransactionExecution.@Nullable Statement next() {
      var first = !begun;
      begun = true;
      return first ? statement : null;
    }

    @Override
    public void finish() {}

    @Override
    public boolean keeps() {
      return statement.outcome() != null;
    }

    @Override
    public void done() {
      if (answered.compareAndSet(false, true)) {
        ended(handler, statement.outcome());
      }
    }

    @Override
    public void failed(Throwable problem) {
      if (answered.compareAndSet(false, true)) {
        fail(handler.name(), problem);
      }
    }

    @Override
    public boolean restart() {
      begun = false;
      statement.restart();
      return true;
    }
  }
}
