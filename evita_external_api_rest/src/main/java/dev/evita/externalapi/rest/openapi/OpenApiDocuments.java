// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import dev.evita.api.Capability;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.transaction.TagCondition;
import dev.evita.externalapi.core.web.MediaTypes;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestProblems;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves the OpenAPI documents of one catalog epoch, at the root as PostgREST does and under a name
 * of its own. Each is generated on first request, on a worker thread. Thread-safe.
 */
public final class OpenApiDocuments {

  /** The last segment of its URL. */
  static final String NAME = "openapi.json";

  /** The media type that is registered first; generators that request plain JSON get the other. */
  private static final List<String> OFFERED =
      List.of("application/openapi+json", "application/json");

  private static final byte[] NO_BODY = {};

  private final RestModel model;
  private final Set<Capability> capabilities;
  private final String path;
  private final PlacementHistory making = new PlacementHistory("OpenAPI documents");
  private final Map<Optional<String>, OpenApiDocument> documents = new ConcurrentHashMap<>();

  /**
   * Creates the documents, each on its first request.
   *
   * @param capabilities those of the engine: what it lacks is not offered
   */
  public OpenApiDocuments(RestModel model, Set<Capability> capabilities, String path) {
    this.model = model;
    this.capabilities = Set.copyOf(capabilities);
    this.path = path;
  }

  public List<Route> routes() {
    return List.of(
        Route.exact(path, "GET"),
        Route.exact(path + "/", "GET"),
        Route.exact(path + "/" + NAME, "GET"));
  }

  /** Whether this path, which is at or below that of the API, is the path of a document. */
  public boolean at(String requested) {
    return requested.length() <= path.length() + 1
        || (requested.length() == path.length() + 1 + NAME.length() && requested.endsWith(NAME));
  }

  public void handle(Exchange exchange) {
    var profile = Optional.ofNullable(exchange.request().header("Accept-Profile"));
    var type = MediaTypes.negotiate(exchange.request().header("Accept"), OFFERED);
    exchange.response().header("Vary", "Accept, Accept-Profile");
    if (type == null) {
      throw new RestFailure(
          406,
          HttpErrorCode.NOT_ACCEPTABLE,
          "PGRST107",
          "None of these media types are available: "
              + RestFailure.shortened(String.valueOf(exchange.request().header("Accept"))),
          null,
          "Available are " + String.join(", ", OFFERED));
    }
    var document = documents.get(profile);
    if (document == null) {
      exchange.work().dispatch(making, false, () -> make(exchange, profile, type));
    } else {
      respond(exchange, document, type);
    }
  }

  private void make(Exchange exchange, Optional<String> profile, String type) {
    try {
      var document =
          documents.computeIfAbsent(
              profile, key -> OpenApiDocument.of(model, capabilities, path, key.orElse(null)));
      respond(exchange, document, type);
    } catch (RuntimeException e) {
      RestProblems.send(exchange, e);
    }
  }

  private static void respond(Exchange exchange, OpenApiDocument document, String type) {
    exchange.response().header("ETag", document.tag());
    exchange.response().header("Cache-Control", "no-cache");
    if (TagCondition.matches(exchange.request().header("If-None-Match"), document.tag())) {
      exchange.response().send(304, type, NO_BODY);
    } else {
      exchange.response().send(200, type, document.json());
    }
  }
}
