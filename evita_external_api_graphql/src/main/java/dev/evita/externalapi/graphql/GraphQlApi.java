// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.Api;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.EventStream;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.IdempotencyKeys;
import dev.evita.externalapi.core.IdempotentWrite;
import dev.evita.externalapi.core.MediaTypes;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.Problems;
import dev.evita.externalapi.core.Route;
import dev.evita.externalapi.core.TagCondition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * GraphQL over HTTP, for one catalog epoch.
 *
 * <p>What was compiled before is bound here, on the I/O thread; what was not is compiled on a
 * worker thread, since the engine may have to be asked.
 */
final class GraphQlApi implements Api {

  private static final String JSON = "application/json";
  private static final String RESPONSE_JSON = "application/graphql-response+json";
  private static final List<String> OFFERED = List.of(JSON, RESPONSE_JSON, EventStream.MEDIA_TYPE);
  private static final String CHARSET = "; charset=utf-8";
  private static final String JSON_UTF8 = JSON + CHARSET;
  private static final String RESPONSE_JSON_UTF8 = RESPONSE_JSON + CHARSET;
  private static final byte[] NO_BODY = {};

  private final Route route;
  private final GraphQlLimits limits;
  private final RequestReader reader = new RequestReader();
  private final Planner planner;
  private final EntityTags tags;
  private final IdempotencyKeys keys;
  private volatile Subscriptions subscriptions;
  private final Plan compiling = new Plan("GraphQL documents seen for the first time");
  private final Plan batches = new Plan("GraphQL batches");

  GraphQlApi(ApiContext context, GraphQlOptions options, DocumentStore store) {
    this.route = Route.exact(options.graphqlPath(), "GET", "POST");
    this.limits = options.limits();
    this.tags = new EntityTags(context, options);
    this.keys = context.idempotencyKeys();
    this.planner = new Planner(new GraphQlSchema(context, limits), options, store);
    this.subscriptions =
        new Subscriptions(context.background(), context.tables(), options.subscriptions(), planner);
  }

  /** Subscriptions outlive the epoch: the next API has them, and its schema is theirs. */
  @Override
  public void succeed(Api predecessor) {
    subscriptions = ((GraphQlApi) predecessor).subscriptions;
    subscriptions.move(planner);
  }

  /** For tests and metrics. */
  Subscriptions subscriptions() {
    return subscriptions;
  }

  @Override
  public List<Route> routes() {
    return List.of(route);
  }

  @Override
  public void handle(Exchange exchange) {
    if (exchange.wantsWebSocket()) {
      exchange.upgrade(
          Set.of(GraphQlSocket.PROTOCOL), socket -> GraphQlSocket.open(socket, subscriptions));
      return;
    }
    var accepted = MediaTypes.negotiate(exchange.header("Accept"), OFFERED);
    var contentType = RESPONSE_JSON.equals(accepted) ? RESPONSE_JSON_UTF8 : JSON_UTF8;
    try {
      if (accepted == null) {
        throw RequestError.of(
            ErrorCode.NOT_ACCEPTABLE,
            "Answers come as " + JSON + ", " + RESPONSE_JSON + " or " + EventStream.MEDIA_TYPE);
      }
      handle(exchange, accepted, contentType);
    } catch (RuntimeException e) {
      refuse(exchange, contentType, e);
    }
  }

  @Override
  public void refuse(Exchange exchange, Throwable failure) {
    var accepted = MediaTypes.negotiate(exchange.header("Accept"), OFFERED);
    refuse(exchange, RESPONSE_JSON.equals(accepted) ? RESPONSE_JSON_UTF8 : JSON_UTF8, failure);
  }

  private void handle(Exchange exchange, String accepted, String contentType) {
    if (byUrl(exchange)) {
      exchange.responseHeader("Vary", "Accept");
      exchange.responseHeader("Cache-Control", "no-cache");
      answer(exchange, accepted, contentType, reader.get(exchange));
      return;
    }
    requireJson(exchange.header("Content-Type"));
    var body = exchange.body();
    if (RequestReader.isBatch(body)) {
      requireNoKey(exchange);
      var requests = reader.batch(body, limits.maxBatch());
      var batch = new Batch(exchange, contentType, planner, limits, requests);
      exchange.dispatch(batches, false, batch);
    } else {
      answer(exchange, accepted, contentType, reader.post(body));
    }
  }

  /** The requests of a batch are each a transaction of its own. */
  private static void requireNoKey(Exchange exchange) {
    if (exchange.header(IdempotencyKeys.HEADER) != null) {
      throw RequestError.of(
          ErrorCode.MALFORMED_REQUEST,
          "An " + IdempotencyKeys.HEADER + " is for one request, not for an array of them");
    }
  }

  private void answer(
      Exchange exchange, String accepted, String contentType, GraphQlRequest request) {
    if (EventStream.MEDIA_TYPE.equals(accepted)) {
      EventOperation.start(subscriptions, exchange, request, byUrl(exchange));
      return;
    }
    var text = planner.text(request);
    var planned = planner.ready(text, request, byUrl(exchange));
    if (planned == null) {
      exchange.dispatch(compiling, false, () -> compile(exchange, contentType, text, request));
    } else {
      var run = run(exchange, contentType, text, planned);
      if (run != null) {
        exchange.dispatch(run.plan(), run.bounded(), run);
      }
    }
  }

  /** What is to run; null where the client has the answer already, and was told so. */
  private @Nullable Run run(Exchange exchange, String contentType, String text, Planned planned) {
    planned.requireEnd();
    var tag = byUrl(exchange) ? tags.of(exchange, contentType, text, planned) : null;
    if (tag == null) {
      return new Run(exchange, new WholeAnswer(exchange, contentType), planned, 0);
    }
    if (TagCondition.matches(exchange.header("If-None-Match"), tag)) {
      tags.announce(exchange, tag);
      exchange.send(304, contentType, NO_BODY);
      return null;
    }
    return new Run(exchange, new TaggedAnswer(exchange, contentType, tags, tag), planned, 0);
  }

  /** HEAD asks for what GET would answer, without its body. */
  private static boolean byUrl(Exchange exchange) {
    return exchange.method().equals("GET") || exchange.method().equals("HEAD");
  }

  private static void requireJson(@Nullable String type) {
    if (JSON.equals(type)) {
      return;
    }
    if (type == null) {
      throw RequestError.of(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body's Content-Type is missing; expected " + JSON);
    }
    if (!MediaTypes.is(type, JSON)) {
      throw RequestError.of(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body's Content-Type is '" + type + "'; expected " + JSON);
    }
    var charset = MediaTypes.parameter(type, "charset");
    if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
      throw RequestError.of(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body's charset is '" + charset + "'; expected utf-8");
    }
  }

  private void compile(Exchange exchange, String contentType, String text, GraphQlRequest request) {
    @Nullable Runnable run;
    try {
      var planned = planner.compiled(text, request, byUrl(exchange));
      run =
          planned.variant().mutates()
              ? mutation(exchange, contentType, text, request, planned)
              : run(exchange, contentType, text, planned);
    } catch (RuntimeException e) {
      refuse(exchange, contentType, e);
      return;
    }
    if (run != null) {
      run.run();
    }
  }

  private Runnable mutation(
      Exchange exchange, String contentType, String text, GraphQlRequest request, Planned planned) {
    var answer = new WholeAnswer(exchange, contentType);
    var header = exchange.header(IdempotencyKeys.HEADER);
    if (header == null) {
      return planner.run(exchange, answer, planned, 0);
    }
    var key = new IdempotentWrite.Key(keys, keys.require(header), request.fingerprint(text));
    return keys.ready()
        ? planner.run(exchange, answer, planned, key)
        : () -> keys.create(exchange, problem -> refuse(exchange, contentType, problem));
  }

  /**
   * Answers errors alone. By {@code application/json} a well-formed request is answered 200
   * whatever it asks for; by {@code application/graphql-response+json} the status tells, too
   * (GraphQL over HTTP, section 6.4).
   */
  static void refuse(Exchange exchange, String contentType, Throwable failure) {
    var errors = GraphQlError.all(failure, exchange.faults());
    var code = errors.getFirst().code();
    if (code == ErrorCode.CATALOG_CHANGED && exchange.restart()) {
      return;
    }
    var status = aboutDocument(code) && contentType.equals(JSON_UTF8) ? 200 : Problems.status(code);
    if (status == 503) {
      exchange.responseHeader("Retry-After", "1");
    }
    if (status == 405 && failure instanceof RequestError) {
      exchange.responseHeader("Allow", "POST"); // a mutation by GET
    }
    var body = exchange.respond(status, contentType);
    GraphQlError.answer(body.json(), errors);
    body.end();
  }

  /** Whether the request was well-formed, and what it asks for is at fault. */
  private static boolean aboutDocument(ErrorCode code) {
    return switch (code) {
      case MALFORMED_REQUEST,
          METHOD_NOT_ALLOWED,
          NOT_ACCEPTABLE,
          UNSUPPORTED_MEDIA_TYPE,
          BODY_TOO_LARGE,
          URL_TOO_LONG,
          REQUEST_TIMEOUT,
          HOST_NOT_ALLOWED,
          ORIGIN_NOT_ALLOWED,
          BATCH_TOO_LARGE,
          IDEMPOTENCY_KEY_REUSED,
          PERSISTED_QUERY_HASH_MISMATCH ->
          false;
      default -> code.category() == ErrorCode.Category.USER;
    };
  }
}
