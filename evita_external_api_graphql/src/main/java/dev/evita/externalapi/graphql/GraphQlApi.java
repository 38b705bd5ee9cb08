// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Api;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.MediaTypes;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.PlanCache;
import dev.evita.externalapi.core.Problems;
import dev.evita.externalapi.core.Route;
import dev.evita.externalapi.core.Statements;
import java.util.List;
import java.util.Objects;
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
  private static final List<String> OFFERED = List.of(JSON, RESPONSE_JSON);
  private static final String CHARSET = "; charset=utf-8";
  private static final String JSON_UTF8 = JSON + CHARSET;
  private static final String RESPONSE_JSON_UTF8 = RESPONSE_JSON + CHARSET;

  private final Route route;
  private final RequestReader reader = new RequestReader();
  private final Documents documents;
  private final Statements statements;
  private final PlanCache<CompiledDocument> plans;
  private final Plan compiling = new Plan("GraphQL documents seen for the first time");

  GraphQlApi(ApiContext context, GraphQlOptions options) {
    this.route = Route.exact(options.graphqlPath(), "GET", "POST");
    this.statements = context.statements();
    this.documents = new Documents(new GraphQlSchema(context), options.introspection());
    this.plans = new PlanCache<>(options.planCacheChars());
  }

  @Override
  public List<Route> routes() {
    return List.of(route);
  }

  @Override
  public void handle(Exchange exchange) {
    var accepted = MediaTypes.negotiate(exchange.header("Accept"), OFFERED);
    var contentType = RESPONSE_JSON.equals(accepted) ? RESPONSE_JSON_UTF8 : JSON_UTF8;
    try {
      if (accepted == null) {
        throw RequestError.of(
            ErrorCode.NOT_ACCEPTABLE, "Answers come as " + JSON + " or " + RESPONSE_JSON);
      }
      var request = read(exchange);
      var run = ready(exchange, contentType, request);
      if (run == null) {
        exchange.dispatch(compiling, false, () -> compile(exchange, contentType, request));
      } else {
        exchange.dispatch(run.plan(), run.bounded(), run);
      }
    } catch (RuntimeException e) {
      refuse(exchange, contentType, e);
    }
  }

  private GraphQlRequest read(Exchange exchange) {
    if (byUrl(exchange)) {
      return reader.get(exchange);
    }
    var type = exchange.header("Content-Type");
    if (!JSON.equals(type)) {
      requireJson(type);
    }
    return reader.post(exchange.body());
  }

  /** HEAD asks for what GET would answer, without its body. */
  private static boolean byUrl(Exchange exchange) {
    return exchange.method().equals("GET") || exchange.method().equals("HEAD");
  }

  private static void requireJson(@Nullable String type) {
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

  /** The run, if nothing has to be compiled for it; never a mutation's, which may wait. */
  private @Nullable Run ready(Exchange exchange, String contentType, GraphQlRequest request) {
    var document = plans.ifPresent(request.query());
    var operation = document == null ? null : document.known(request.operationName());
    if (operation == null || operation.mutates()) {
      return null;
    }
    var values = operation.values(request.variables());
    var variant = operation.known(values);
    return variant == null ? null : bind(exchange, contentType, request, variant, values, false);
  }

  private void compile(Exchange exchange, String contentType, GraphQlRequest request) {
    Runnable run;
    try {
      run = compiled(exchange, contentType, request);
    } catch (StackOverflowError e) {
      // Fragments that spread fragments, thousands of them: graphql-java follows by recursion.
      var problem = "The document is nested too deeply to be read";
      refuse(exchange, contentType, RequestError.of(ErrorCode.TOO_DEEP, problem));
      return;
    } catch (RuntimeException e) {
      refuse(exchange, contentType, e);
      return;
    }
    run.run();
  }

  private Runnable compiled(Exchange exchange, String contentType, GraphQlRequest request) {
    if (byUrl(exchange) && documents.mutates(request.query(), request.operationName())) {
      exchange.responseHeader("Allow", "POST");
      throw RequestError.of(ErrorCode.METHOD_NOT_ALLOWED, "A mutation needs a POST");
    }
    var document = plans.get(request.query(), documents::compile);
    var operation = document.operation(request.operationName());
    var values = operation.values(request.variables());
    var variant = operation.variant(values);
    if (operation.mutates()) {
      return new MutationRun(exchange, contentType, statements, variant, values);
    }
    return Objects.requireNonNull(
        bind(exchange, contentType, request, variant, values, true), "all may be prepared");
  }

  /**
   * Binds each step.
   *
   * @return null where the engine must be asked to prepare one and {@code mayPrepare} is false
   */
  private static @Nullable Run bind(
      Exchange exchange,
      String contentType,
      GraphQlRequest request,
      Variant variant,
      Object[] values,
      boolean mayPrepare) {
    var steps = variant.steps();
    var bound = new Source.Bound[steps.size()];
    for (int i = 0; i < bound.length; i++) {
      var step = steps.get(i);
      if (step.work() instanceof Step.Work.Rows rows) {
        bound[i] = bind(step, rows, values, mayPrepare);
        if (bound[i] == null) {
          return null;
        }
      }
    }
    return new Run(exchange, contentType, variant, bound, request.variables());
  }

  private static Source.@Nullable Bound bind(
      Step step, Step.Work.Rows rows, Object[] values, boolean mayPrepare) {
    try {
      return rows.source().bind(values, mayPrepare);
    } catch (EvitaException e) {
      throw RequestError.at(e, step.at(), step.path());
    }
  }

  /**
   * Answers errors alone. By {@code application/json} a well-formed request is answered 200
   * whatever it asks for; by {@code application/graphql-response+json} the status tells, too
   * (GraphQL over HTTP, section 6.4).
   */
  private static void refuse(Exchange exchange, String contentType, RuntimeException failure) {
    var errors =
        failure instanceof RequestError request
            ? request.errors()
            : List.of(GraphQlError.of(failure, List.of(), List.of()));
    var code = errors.getFirst().code();
    var status = aboutDocument(code) && contentType.equals(JSON_UTF8) ? 200 : Problems.status(code);
    if (status == 503) {
      exchange.responseHeader("Retry-After", "1");
    }
    var body = exchange.respond(status, contentType);
    body.json().raw('{');
    GraphQlError.write(body.json(), errors);
    body.json().raw('}');
    body.end();
  }

  /** Whether the request was well-formed, and what it asks for is at fault. */
  private static boolean aboutDocument(ErrorCode code) {
    return switch (code) {
      case MALFORMED_REQUEST, METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE -> false;
      default -> code.category() == ErrorCode.Category.USER;
    };
  }
}
