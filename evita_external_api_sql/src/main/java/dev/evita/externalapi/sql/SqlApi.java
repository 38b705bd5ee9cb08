// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.transaction.BatchTransaction;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.sql.declaration.Stage;
import dev.evita.externalapi.sql.files.StaticFiles;
import dev.evita.externalapi.sql.inputs.HandlerInput;
import dev.evita.externalapi.sql.live.LiveHandler;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import dev.evita.externalapi.sql.proxy.Upstreams;
import dev.evita.externalapi.sql.respond.ResponseSender;
import dev.evita.externalapi.sql.run.BrokenHandler;
import dev.evita.externalapi.sql.run.Handler;
import dev.evita.externalapi.sql.run.HandlerChain;
import dev.evita.externalapi.sql.run.ProgramHandler;
import dev.evita.externalapi.sql.run.RouteTable;
import dev.evita.externalapi.sql.run.SqlHandler;
import dev.evita.externalapi.sql.store.HandlerCompiler;
import dev.evita.externalapi.sql.store.HandlerDirectory;
import dev.evita.externalapi.sql.store.HandlerReloader;
import dev.evita.externalapi.sql.templates.Templates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers for one catalog epoch.
 *
 * <pre>
 * begin: first epoch, or succeed: from the previous one --> handlers
 * each handlers-reload: texts changed? --compile all--> valid: handlers | faulty: logged, the old stay
 *                       else, the database kept one from being compiled? --compile it--> handlers
 * </pre>
 */
final class SqlApi implements Api {

  private static final Logger LOG = LoggerFactory.getLogger(SqlApi.class);

  /**
   * The handlers at one time. Immutable.
   *
   * @param texts the sources they were made from, by name
   */
  private record Handlers(
      Map<String, String> texts,
      Map<String, String> templateTexts,
      Templates templates,
      List<Handler> all,
      RouteTable before,
      RouteTable main,
      RouteTable after) {

    /** Those that do not compile, by name. */
    Map<String, BrokenHandler> broken() {
      return all.stream()
          .filter(BrokenHandler.class::isInstance)
          .map(BrokenHandler.class::cast)
          .collect(Collectors.toMap(BrokenHandler::name, Function.identity()));
    }

    static final Handlers NONE = of(Map.of(), Map.of(), Templates.NONE, List.of());

    static Handlers of(
        Map<String, String> texts,
        Map<String, String> templateTexts,
        Templates templates,
        List<Handler> all) {
      return new Handlers(
          texts,
          templateTexts,
          templates,
          all,
          new RouteTable(stage(all, Stage.BEFORE)),
          new RouteTable(stage(all, Stage.HANDLER)),
          new RouteTable(stage(all, Stage.AFTER)));
    }

    private static List<Handler> stage(List<Handler> all, Stage stage) {
      return all.stream().filter(handler -> handler.stage() == stage).toList();
    }
  }

  private final ApiContext context;
  private final SqlOptions options;
  private final List<ProgramHandler> programs;
  private final @Nullable StaticFiles files;
  private final PlacementHistory unhandled = new PlacementHistory("static files");
  private Shared shared;
  private ResponseSender sender;
  private HandlerChain.Services services;
  private volatile Handlers handlers = Handlers.NONE;
  private @Nullable Map<String, String> refused;
  private @Nullable String fault;

  /** What outlives the epoch. */
  private static final class Shared {
    final AtomicLong ids = new AtomicLong();
    final Upstreams upstreams;
    volatile SqlApi current;
    @Nullable HandlerReloader reloader;

    Shared(SqlApi first) {
      upstreams = new Upstreams(first.options.upstreams());
      current = first;
    }
  }

  SqlApi(ApiContext context, SqlOptions options, List<ProgramHandler> programs) {
    this.context = context;
    this.options = options;
    this.programs = programs;
    this.files = options.staticFiles() == null ? null : StaticFiles.in(options.staticFiles());
    this.shared = new Shared(this);
    this.sender = sender();
    this.services = services();
  }

  private HandlerChain.Services services() {
    return new HandlerChain.Services(context.statements(), sender, unhandled);
  }

  private ResponseSender sender() {
    return new ResponseSender(() -> handlers.templates(), files, shared.upstreams, this::nothing);
  }

  // ---- loading ----

  @Override
  public void begin() {
    handlers = compile(texts(), templateTexts(), false);
    if (options.handlers() != null || options.handlersTable() || options.templates() != null) {
      shared.reloader = new HandlerReloader(options.handlersReload(), this::reload);
    }
  }

  /** Handlers that no longer compile are kept, so that the others go on. */
  @Override
  public void succeed(Api predecessor) {
    var previous = (SqlApi) predecessor;
    shared = previous.shared;
    sender = sender();
    services = services();
    handlers = compile(previous.handlers.texts(), previous.handlers.templateTexts(), true);
    logBroken(Map.of());
    shared.current = this;
    var reloader = shared.reloader;
    if (reloader != null) {
      reloader.replace(this::reload);
    }
  }

  @Override
  public void close() {
    if (shared.reloader != null) {
      shared.reloader.close();
    }
    shared.upstreams.close();
  }

  private Map<String, String> texts() {
    return HandlerTexts.read(options, context.source(), context.statements());
  }

  private Map<String, String> templateTexts() {
    return options.templates() == null
        ? Map.of()
        : new HandlerDirectory(options.templates(), "templates", List.of(".html", ".mustache"))
            .read();
  }

  /** Compiles the handlers again if their texts have changed. On the reloader's thread. */
  private void reload() {
    var now = handlers;
    try {
      var texts = texts();
      var templateTexts = templateTexts();
      var all = new TreeMap<>(texts);
      all.putAll(templateTexts);
      if ((texts.equals(now.texts()) && templateTexts.equals(now.templateTexts()))
          || all.equals(refused)) {
        recover(now);
        fault = null;
        return;
      }
      refused = all;
      handlers = compile(texts, templateTexts, false);
      refused = null;
      fault = null;
      LOG.info("Reloaded {} handlers", texts.size());
    } catch (EvitaException e) {
      if (e.code() != ErrorCode.INVALID_CONFIGURATION) {
        refused = null; // the database's fault; the next check tries again
      }
      if (!e.publicMessage().equals(fault)) {
        LOG.warn("Handlers not reloaded; the previous ones stay: {}", e.publicMessage());
      }
      fault = e.publicMessage();
    }
  }

  /** Compiles those again that the database kept from being compiled. */
  private void recover(Handlers now) {
    var broken = now.broken();
    if (broken.values().stream().anyMatch(BrokenHandler::mayRecover)) {
      handlers = compile(now.texts(), now.templateTexts(), true);
      logBroken(broken);
    }
  }

  /** Logs which handlers fail, unless they did before, by the same cause. */
  private void logBroken(Map<String, BrokenHandler> before) {
    var now = handlers.broken();
    now.forEach((name, handler) -> {
      var known = before.get(name);
      if (known == null || !known.cause().code().equals(handler.cause().code())) {
        LOG.warn(
            "The schema has changed; requests of handler {} fail{}: {}",
            name,
            handler.mayRecover() ? " until it is compiled" : "",
            handler.cause().publicMessage());
      }
    });
    before.keySet().stream()
        .filter(name -> !now.containsKey(name))
        .forEach(name -> LOG.info("Handler {} is compiled", name));
  }

  private Handlers compile(
      Map<String, String> texts, Map<String, String> templateTexts, boolean keepsBroken) {
    var transactions =
        new BatchTransaction(context.background().dispatcher(), context.statements());
    var compiler =
        new HandlerCompiler(
            new SqlHandler.Scope(context.statements(), context.source(), transactions),
            context.routes());
    var all = new ArrayList<Handler>(programs);
    programs.forEach(compiler::requireFree);
    all.addAll(compiler.compile(texts, keepsBroken));
    return Handlers.of(texts, templateTexts, new Templates(templateTexts), all);
  }

  // ---- requests ----

  @Override
  public List<Route> routes() {
    var served =
        options.handlers() != null
            || options.handlersTable()
            || options.staticFiles() != null
            || !programs.isEmpty();
    return served ? List.of(Route.others()) : List.of();
  }

  @Override
  public void handle(Exchange exchange) {
    var now = handlers;
    var method = exchange.request().method();
    var input = new HandlerInput(exchange.request(), shared.ids.incrementAndGet());
    var main = now.main().match(method, input.segments());
    if (main.isEmpty() && !mayBeFile(method)) {
      respondUnmatched(exchange, input);
      return;
    }
    var matches = new ArrayList<RouteTable.Match>(now.before().match(method, input.segments()));
    matches.addAll(main);
    matches.addAll(now.after().match(method, input.segments()));
    if (matches.stream().anyMatch(match -> !match.handler().readOnly())) {
      exchange.request().requireOwnPage();
    }
    if (isLive(exchange, main)) {
      live(exchange, input, now.before().match(method, input.segments()), main.getFirst());
      return;
    }
    if (matches.isEmpty()) {
      exchange.work().dispatch(unhandled, false, () -> unhandled(exchange, input));
      return;
    }
    var chain = new HandlerChain(exchange, input, matches, services);
    exchange.work().dispatch(chain.history(), chain.bounded(), chain);
  }

  private void unhandled(Exchange exchange, HandlerInput input) {
    try {
      sender.sendUnhandled(exchange, input, HandlerOutcome.EMPTY);
    } catch (RuntimeException e) {
      exchange.fail(e);
    }
  }

  private boolean mayBeFile(String method) {
    return files != null && (method.equals("GET") || method.equals("HEAD"));
  }

  /** Responds to a request whose method and path no handler is for. */
  private void respondUnmatched(Exchange exchange, HandlerInput input) {
    if (!exchange.request().method().equals("OPTIONS")) {
      throw nothing(exchange, input);
    }
    var allowed = handlers.main().methods(input.segments());
    if (allowed.isEmpty()) {
      throw ResponseSender.notFound(exchange.request().path());
    }
    allow(exchange, allowed);
    exchange.response().respond(204, "text/plain").end();
  }

  private static String allow(Exchange exchange, Set<String> allowed) {
    allowed.add("OPTIONS");
    var list = String.join(", ", allowed);
    exchange.response().header("Allow", list);
    return list;
  }

  /** Returns the failure of a request for which there is neither a row nor a file. */
  private EvitaException nothing(Exchange exchange, HandlerInput input) {
    var table = handlers.main();
    var method = exchange.request().method();
    var allowed = table.methods(input.segments());
    if (allowed.isEmpty() || !table.match(method, input.segments()).isEmpty()) {
      return ResponseSender.notFound(exchange.request().path());
    }
    return new EvitaException(
        HttpErrorCode.METHOD_NOT_ALLOWED,
        method + " is not allowed on this path; use one of " + allow(exchange, allowed));
  }

  private static boolean isLive(Exchange exchange, List<RouteTable.Match> main) {
    var accept = exchange.request().header("Accept");
    return accept != null
        && accept.contains("text/event-stream")
        && !main.isEmpty()
        && main.getFirst().handler() instanceof SqlHandler handler
        && handler.declaration().live();
  }

  /** The handlers before it may refuse the request, as for others. */
  private void live(
      Exchange exchange,
      HandlerInput input,
      List<RouteTable.Match> before,
      RouteTable.Match match) {
    if (before.isEmpty()) {
      live(exchange, input, match);
      return;
    }
    var chain =
        new HandlerChain(
            exchange,
            input,
            before,
            services.with(sender.unlessResponded(() -> live(exchange, input, match))));
    exchange.work().dispatch(chain.history(), false, chain);
  }

  private void live(Exchange exchange, HandlerInput input, RouteTable.Match match) {
    var handler = (SqlHandler) match.handler();
    if (handler.inputs().bind(input, match, null) == null) {
      throw ResponseSender.notFound(exchange.request().path());
    }
    var name = handler.name();
    LiveHandler.start(context, exchange.events(), () -> shared.current.bound(name, input, match));
  }

  /** The handler of this name as it is now; null if there is none, or it has other path groups. */
  private LiveHandler.@Nullable Bound bound(
      String name, HandlerInput input, RouteTable.Match match) {
    for (var handler : handlers.all()) {
      if (handler instanceof SqlHandler sql && sql.name().equals(name)) {
        try {
          var arguments = sql.inputs().bind(input, match, null);
          return arguments == null ? null : new LiveHandler.Bound(sql, arguments);
        } catch (IllegalArgumentException e) {
          return null;
        }
      }
    }
    return null;
  }
}
