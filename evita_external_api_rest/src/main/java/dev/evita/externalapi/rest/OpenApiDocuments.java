// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.MediaTypes;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.Route;
import dev.evita.externalapi.core.TagCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves the OpenAPI documents of one catalog epoch, at the root as PostgREST does and under a name
 * of its own. Each is made when it is first asked for, on a worker. Thread-safe.
 */
final class OpenApiDocuments {

  /** The last segment of its URL. */
  static final String NAME = "openapi.json";

  /** The one that is registered first; generators that ask for plain JSON get the other. */
  private static final List<String> OFFERED =
      List.of("application/openapi+json", "application/json");

  private static final byte[] NO_BODY = {};

  private final RestModel model;
  private final String path;
  private final Plan making = new Plan("OpenAPI documents");
  private final Map<Optional<String>, OpenApiDocument> documents = new ConcurrentHashMap<>();

  OpenApiDocuments(RestModel model, String path) {
    this.model = model;
    this.path = path;
  }

  List<Route> routes() {
    return List.of(
        Route.exact(path, "GET"),
        Route.exact(path + "/", "GET"),
        Route.exact(path + "/" + NAME, "GET"));
  }

  /** Whether these are asked for by this path, which is at or below that of the API. */
  boolean at(String requested) {
    return requested.length() <= path.length() + 1
        || (requested.length() == path.length() + 1 + NAME.length() && requested.endsWith(NAME));
  }

  void handle(Exchange exchange) {
    var profile = Optional.ofNullable(exchange.header("Accept-Profile"));
    var type = MediaTypes.negotiate(exchange.header("Accept"), OFFERED);
    exchange.responseHeader("Vary", "Accept, Accept-Profile");
    if (type == null) {
      throw new RestFailure(
          406,
          ErrorCode.NOT_ACCEPTABLE,
          "PGRST107",
          "None of these media types are available: "
              + RestFailure.shortened(String.valueOf(exchange.header("Accept"))),
          null,
          "Available are " + String.join(", ", OFFERED));
    }
    var document = documents.get(profile);
    if (document == null) {
      exchange.dispatch(making, false, () -> make(exchange, profile, type));
    } else {
      answer(exchange, document, type);
    }
  }

  private void make(Exchange exchange, Optional<String> profile, String type) {
    try {
      var document =
          documents.computeIfAbsent(
              profile, key -> OpenApiDocument.of(model, path, key.orElse(null)));
      answer(exchange, document, type);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
    }
  }

  private static void answer(Exchange exchange, OpenApiDocument document, String type) {
    exchange.responseHeader("ETag", document.tag());
    exchange.responseHeader("Cache-Control", "no-cache");
    if (TagCondition.matches(exchange.header("If-None-Match"), document.tag())) {
      exchange.send(304, type, NO_BODY);
    } else {
      exchange.send(200, type, document.json());
    }
  }
}
