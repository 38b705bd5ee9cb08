// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.transaction.TagCondition;
import dev.evita.externalapi.core.web.MediaTypes;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.graphql.documents.DocumentStore;
import dev.evita.externalapi.graphql.documents.Planner;
import dev.evita.externalapi.graphql.http.EntityTags;
import dev.evita.externalapi.graphql.http.EventOperation;
import dev.evita.externalapi.graphql.http.GraphQlSocket;
import dev.evita.externalapi.graphql.http.RequestBatch;
import dev.evita.externalapi.graphql.http.SocketLimits;
import dev.evita.externalapi.graphql.http.TaggedResponse;
import dev.evita.externalapi.graphql.input.SelectionLimits;
import dev.evita.externalapi.graphql.plan.MutationPlan;
import dev.evita.externalapi.graphql.plan.QueryPlan;
import dev.evita.externalapi.graphql.plan.SinglePlan;
import dev.evita.externalapi.graphql.plan.SingleResponse;
import dev.evita.externalapi.graphql.request.ErrorResponse;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.request.RequestReader;
import dev.evita.externalapi.graphql.request.SocketMessage;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import dev.evita.externalapi.graphql.subscriptions.Subscriptions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * GraphQL over HTTP, for one catalog epoch.
 *
 * <p>Requests whose plan is cached are bound here, on the I/O thread; others are compiled on a
 * worker thread, since compilation may call the engine.
 */
final class GraphQlApi implements Api {

  private static final String JSON = "application/json";
  private static final String RESPONSE_JSON = "application/graphql-response+json";
  private static final List<String> OFFERED = List.of(JSON, RESPONSE_JSON, EventStream.MEDIA_TYPE);
  private static final String CHARSET = "; charset=utf-8";
  private static final String RESPONSE_JSON_UTF8 = RESPONSE_JSON + CHARSET;
  private static final byte[] NO_BODY = {};

  private final Route route;
  private final GraphQlLimits limits;
  private final SelectionLimits selections;
  private final SocketLimits sockets;
  private final RequestReader reader = new RequestReader();
  private final Planner planner;
  private final EntityTags tags;
  private final IdempotencyKeys keys;
  private volatile Subscriptions subscriptions;
  private final PlacementHistory compiling =
      new PlacementHistory("GraphQL documents seen for the first time");
  private final PlacementHistory batches = new PlacementHistory("GraphQL batches");

  GraphQlApi(ApiContext context, GraphQlOptions options, DocumentStore store) {
    this.route = Route.exact(options.graphqlPath(), "GET", "POST");
    this.limits = options.limits();
    this.tags = new EntityTags(context, options.etags(), options.etagMaxAge());
    this.keys = context.idempotencyKeys();
    this.selections = limits.selections();
    this.sockets =
        new SocketLimits(
            options.subscriptions().maxSubscriptions(),
            options.subscriptions().connectionInitTimeout());
    this.planner =
        new Planner(
            new GraphQlSchema(context, selections),
            options.introspection(),
            options.planCacheChars(),
            store);
    this.subscriptions = new Subscriptions(context.background(), context.tables(), planner);
  }

  /** Subscriptions outlive the epoch: they are handed over to the next API, and use its schema. */
  @Override
  public void succeed(Api predecessor) {
    subscriptions = ((GraphQlApi) predecessor).subscriptions;
    subscriptions.move(planner);
  }

  /** Returns the number of different live queries and streams, for tests and metrics. */
  int subscriptions() {
    return subscriptions.count();
  }

  @Override
  public List<Route> routes() {
    return List.of(route);
  }

  @Override
  public void handle(Exchange exchange) {
    if (exchange.wantsWebSocket()) {
      exchange.upgrade(
          Set.of(SocketMessage.PROTOCOL),
          socket -> GraphQlSocket.open(socket, subscriptions, sockets));
      return;
    }
    var accepted = MediaTypes.negotiate(exchange.request().header("Accept"), OFFERED);
    var contentType = RESPONSE_JSON.equals(accepted) ? RESPONSE_JSON_UTF8 : ErrorResponse.JSON_UTF8;
    try {
      if (accepted == null) {
        throw RequestError.of(
            HttpErrorCode.NOT_ACCEPTABLE,
            "Answers come as " + JSON + ", " + RESPONSE_JSON + " or " + EventStream.MEDIA_TYPE);
      }
      handle(exchange, accepted, contentType);
    } catch (RuntimeException e) {
      ErrorResponse.send(exchange.response(), contentType, e);
    }
  }

  @Override
  public void refuse(Exchange exchange, Throwable failure) {
    var accepted = MediaTypes.negotiate(exchange.request().header("Accept"), OFFERED);
    ErrorResponse.send(
        exchange.response(),
        RESPONSE_JSON.equals(accepted) ? RESPONSE_JSON_UTF8 : ErrorResponse.JSON_UTF8,
        failure);
  }

  private void handle(Exchange exchange, String accepted, String contentType) {
    if (byUrl(exchange)) {
      exchange.response().header("Vary", "Accept");
      exchange.response().header("Cache-Control", "no-cache");
      respond(exchange, accepted, contentType, reader.get(exchange));
      return;
    }
    requireJson(exchange.request().header("Content-Type"));
    var body = exchange.request().body();
    if (RequestReader.isBatch(body)) {
      requireNoKey(exchange);
      var requests = reader.batch(body, limits.maxBatch());
      var batch = new RequestBatch(exchange.response(), contentType, planner, selections, requests);
      exchange.work().dispatch(batches, false, batch);
    } else {
      respond(exchange, accepted, contentType, reader.post(body));
    }
  }

  /** Each request of a batch is a transaction of its own. */
  private static void requireNoKey(Exchange exchange) {
    if (exchange.request().header(IdempotencyKeys.HEADER) != null) {
      throw RequestError.of(
          HttpErrorCode.MALFORMED_REQUEST,
          "An " + IdempotencyKeys.HEADER + " is for one request, not for an array of them");
    }
  }

  private void respond(
      Exchange exchange, String accepted, String contentType, GraphQlRequest request) {
    if (EventStream.MEDIA_TYPE.equals(accepted)) {
      EventOperation.start(subscriptions, exchange, request, byUrl(exchange));
      return;
    }
    var text = planner.text(request);
    var planned = planner.ready(text, request, byUrl(exchange));
    if (planned == null) {
      exchange
          .work()
          .dispatch(compiling, false, () -> compile(exchange, contentType, text, request));
    } else {
      var plan = planned.requireEnd();
      var run = run(exchange, contentType, text, request, plan);
      if (run != null) {
        exchange.work().dispatch(plan.plan(), plan.bounded(), run);
      }
    }
  }

  /**
   * Returns the task to run; null if the client's cached response is current, and a response that
   * states so was sent.
   */
  private @Nullable Runnable run(
      Exchange exchange, String contentType, String text, GraphQlRequest request, SinglePlan plan) {
    return switch (plan) {
      case QueryPlan query -> query(exchange, contentType, text, query);
      case MutationPlan mutation -> mutation(exchange, contentType, text, request, mutation);
    };
  }

  private @Nullable Runnable query(
      Exchange exchange, String contentType, String text, QueryPlan plan) {
    var response = exchange.response();
    var tag = byUrl(exchange) ? tags.of(exchange, contentType, text, plan) : null;
    if (tag == null) {
      return plan.run(response, new SingleResponse(response, contentType), 0);
    }
    if (TagCondition.matches(exchange.request().header("If-None-Match"), tag)) {
      tags.announce(response, tag);
      response.send(304, contentType, NO_BODY);
      return null;
    }
    return plan.run(response, new TaggedResponse(response, contentType, tags, tag), 0);
  }

  /** HEAD returns the response of GET without its body. */
  private static boolean byUrl(Exchange exchange) {
    return exchange.request().method().equals("GET") || exchange.request().method().equals("HEAD");
  }

  private static void requireJson(@Nullable String type) {
    if (JSON.equals(type)) {
      return;
    }
    if (type == null) {
      throw RequestError.of(
          HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body's Content-Type is missing; expected " + JSON);
    }
    if (!MediaTypes.is(type, JSON)) {
      throw RequestError.of(
          HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body's Content-Type is '" + type + "'; expected " + JSON);
    }
    var charset = MediaTypes.parameter(type, "charset");
    if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
      throw RequestError.of(
          HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body's charset is '" + charset + "'; expected utf-8");
    }
  }

  private void compile(Exchange exchange, String contentType, String text, GraphQlRequest request) {
    @Nullable Runnable run;
    try {
      var plan = planner.compiled(text, request, byUrl(exchange)).requireEnd();
      run = run(exchange, contentType, text, request, plan);
    } catch (RuntimeException e) {
      ErrorResponse.send(exchange.response(), contentType, e);
      return;
    }
    if (run != null) {
      run.run();
    }
  }

  private Runnable mutation(
      Exchange exchange,
      String contentType,
      String text,
      GraphQlRequest request,
      MutationPlan plan) {
    var target = new SingleResponse(exchange.response(), contentType);
    var header = exchange.request().header(IdempotencyKeys.HEADER);
    if (header == null) {
      return plan.run(exchange.response(), target, 0);
    }
    var key = new IdempotentWrite.Key(keys, keys.require(header), request.fingerprint(text));
    return keys.ready()
        ? plan.run(exchange.response(), target, key)
        : () ->
            keys.create(
                exchange.work(),
                problem -> ErrorResponse.send(exchange.response(), contentType, problem));
  }
}
