// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.sql.declaration.Stage;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.inputs.RequestInputs;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import dev.evita.externalapi.sql.outcome.HeaderRules;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import dev.evita.externalapi.sql.program.HandlerRequest;
import dev.evita.externalapi.sql.program.HandlerResponse;
import dev.evita.externalapi.sql.program.TransactionQueries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** No history is kept of what never runs on an I/O thread. */
  private static final PlacementHistory UNHANDLED = new PlacementHistory("static files");

  private final Exchange exchange;
  private final HandlerInput input;
  private final List<RouteTable.Match> matches;
  private final Statements statements;
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
      Exchange exchange,
      HandlerInput input,
      List<RouteTable.Match> matches,
      Statements statements,
      OutcomeSender sender) {
    this.exchange = exchange;
    this.input = input;
    this.matches = matches;
    this.statements = statements;
    this.sender = sender;
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
        : UNHANDLED;
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
      exchange.work().dispatch(UNHANDLED, false, this::sendUnhandled);
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
      case ProgramHandler program ->
          transaction(program, new ProgramCall(program, matches.get(index)));
      case SqlHandler sql -> {
        var arguments = bind(index, sql);
        if (arguments == null) {
          return false;
        }
        if (sql.readOnly()) {
          sql.query().run(arguments, null, new Reading(sql));
        } else {
          transaction(sql, new Writing(sql, arguments));
        }
      }
    }
    return true;
  }

  private void transaction(Handler handler, Step step) {
    var held = Quota.held(exchange.work().limits(), 0);
    new TransactionExecution(exchange.work(), statements, held, new Enclosed(handler, step)).run();
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

  /** A handler that only reads. */
  private final class Reading implements RowSink {
    private final SqlHandler handler;
    private final Quota quota = Quota.of(exchange.work().limits(), 0);
    private @Nullable HandlerOutcome best;
    private @Nullable Throwable failure;

    Reading(SqlHandler handler) {
      this.handler = handler;
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
        best = handler.better(best, row);
        return handler.columns().firstRowWins() ? Demand.STOP : Demand.MORE;
      } catch (RuntimeException | StackOverflowError e) {
        failure = e;
        return Demand.STOP;
      }
    }

    @Override
    public void completed(long affected) {
      var problem = failure;
      if (problem == null) {
        ended(handler, best);
      } else {
        fail(handler.name(), problem);
      }
    }

    @Override
    public void failed(EvitaException problem) {
      fail(handler.name(), failure == null ? problem : failure);
    }
  }

  /** The one statement of a transaction. */
  private interface Step extends TransactionExecution.Statement {

    @Nullable HandlerOutcome outcome();

    void restart();
  }

  /** A transaction around a handler. */
  private final class Enclosed implements TransactionExecution.Task {
    private final Handler handler;
    private final Step step;
    private boolean begun;

    Enclosed(Handler handler, Step step) {
      this.handler = handler;
      this.step = step;
    }

    @Override
    public TransactionOptions options() {
      return new TransactionOptions(TransactionOptions.Isolation.DEFAULT, handler.readOnly());
    }

    @Override
    public TransactionExecution.@Nullable Statement next() {
      var first = !begun;
      begun = true;
      return first ? step : null;
    }

    @Override
    public void finish() {}

    @Override
    public boolean keeps() {
      return step.outcome() != null;
    }

    @Override
    public void done() {
      ended(handler, step.outcome());
    }

    @Override
    public void failed(Throwable problem) {
      fail(handler.name(), problem);
    }

    @Override
    public boolean restart() {
      begun = false;
      step.restart();
      return true;
    }
  }

  /** A handler in SQL that may write. */
  private static final class Writing implements Step {
    private final SqlHandler handler;
    private final Arguments arguments;
    private @Nullable HandlerOutcome best;

    Writing(SqlHandler handler, Arguments arguments) {
      this.handler = handler;
      this.arguments = arguments;
    }

    @Override
    public Prepared prepared() {
      return handler.query();
    }

    @Override
    public Arguments arguments() {
      return arguments;
    }

    @Override
    public void row(Row row, Quota held) {
      held.count();
      best = handler.better(best, row);
    }

    @Override
    public void completed(long affected) {}

    @Override
    public @Nullable HandlerOutcome outcome() {
      return best;
    }

    @Override
    public void restart() {
      best = null;
    }
  }

  /** A handler in Java: the code runs in the place of a statement. */
  private final class ProgramCall implements Step, Prepared, HandlerRequest {
    private final ProgramHandler handler;
    private final RouteTable.Match match;
    private @Nullable HandlerOutcome outcome;

    ProgramCall(ProgramHandler handler, RouteTable.Match match) {
      this.handler = handler;
      this.match = match;
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
      try {
        var response =
            handler
                .code()
                .handle(
                    this,
                    new TransactionQueries(
                        exchange.work().limits(), statements, transaction, sink::started));
        outcome = response == null ? null : outcome(response);
      } catch (Throwable e) { // an Error would leave the transaction open, and the request
        sink.failed(
            EvitaException.from(e) == e
                ? (EvitaException) e
                : new EvitaException(
                    ErrorCode.INTERNAL, "Handler " + handler.name() + " failed", e));
        return;
      }
      sink.completed(0);
    }

    private HandlerOutcome outcome(HandlerResponse response) {
      var headers = new ArrayList<Map.Entry<String, String>>();
      response
          .headers()
          .forEach((name, value) -> {
            if (!HeaderRules.maySet(name) || !HeaderRules.isValue(value)) {
              throw invalid("the header " + name);
            }
            headers.add(Map.entry(name, value));
          });
      if (response.status() < 200 || response.status() > 599) {
        throw invalid("the status " + response.status());
      }
      var type = response.contentType();
      if (type != null && !HeaderRules.isValue(type)) {
        throw invalid("the content type " + type.replaceAll("\\p{Cntrl}", "?"));
      }
      return new HandlerOutcome(
          0,
          response.status(),
          headers,
          response.contentType() == null ? null : response.body(),
          response.contentType(),
          null,
          List.of(),
          false,
          null,
          null,
          null,
          Map.of());
    }

    private EvitaException invalid(String what) {
      return new EvitaException(
          SqlErrorCode.INVALID_HANDLER_RESPONSE,
          "Handler " + handler.name() + " returned " + what + ", which is not valid");
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
}
