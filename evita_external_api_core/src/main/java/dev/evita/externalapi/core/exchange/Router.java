// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the API of a request: an exact path first, then the longest prefix, then the paths that
 * streaming APIs serve beside their routes, then the API of all other paths. Immutable.
 *
 * <p>Handles the cases that are common to all APIs: 404, 405 with {@code Allow}, and {@code
 * OPTIONS}.
 */
public final class Router {

  private record Target(Route route, Api api) {
    boolean allows(String method) {
      return route.allowsAll()
          || route.methods().contains(method)
          || (method.equals("HEAD") && route.methods().contains("GET"));
    }
  }

  /** An API that serves requests of this dialect, whatever their path. */
  public record Streaming(StreamingApi api, StreamingApi.Dialect dialect) {}

  private final Map<String, Target> exact = new HashMap<>();
  private final List<Target> prefixes = new ArrayList<>();
  private @Nullable Target others;
  private final List<Streaming> streaming = new ArrayList<>();

  /** The methods that any route allows. */
  private final Set<String> methods = new TreeSet<>();

  public Router(List<Api> apis) {
    for (var api : apis) {
      for (var route : api.routes()) {
        add(new Target(route, api));
      }
      if (api instanceof StreamingApi takesAll) {
        for (var dialect : takesAll.dialects()) {
          streaming.add(new Streaming(takesAll, dialect));
        }
      }
    }
    prefixes.sort(
        Comparator.comparingInt((Target target) -> target.route().path().length()).reversed());
  }

  private void add(Target target) {
    var route = target.route();
    if (route.allowsAll()) {
      others = target;
      return;
    }
    var taken =
        route.prefix()
            ? prefixes.stream().anyMatch(other -> other.route().path().equals(route.path()))
            : exact.containsKey(route.path());
    if (taken) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Two APIs use the path '" + route.path() + "'; change one of them");
    }
    methods.addAll(List.of(allow(route).split(", ")));
    if (route.prefix()) {
      prefixes.add(target);
    } else {
      exact.put(route.path(), target);
    }
  }

  /** The streaming API of the request's content type, whatever its path; null if there is none. */
  public @Nullable Streaming streaming(Request request) {
    var contentType = streaming.isEmpty() ? null : request.header("Content-Type");
    if (contentType != null) {
      for (var each : streaming) {
        if (isOf(contentType, each.dialect().mediaType())) {
          return each;
        }
      }
    }
    return null;
  }

  private static boolean isOf(String contentType, String mediaType) {
    var length = mediaType.length();
    return contentType.regionMatches(true, 0, mediaType, 0, length)
        && (contentType.length() == length || "+; ".indexOf(contentType.charAt(length)) >= 0);
  }

  public void route(HttpExchange exchange) {
    if (exchange.request().path().equals("*") && exchange.request().method().equals("OPTIONS")) {
      // For the server as a whole (RFC 9110, section 9.3.7).
      exchange.response().header("Allow", String.join(", ", methods));
      exchange.response().respond(204, "text/plain").end();
      return;
    }
    var target = find(exchange.request().path());
    if (target == null) {
      throw notFound(exchange);
    }
    exchange.isFor(target.api());
    var method = exchange.request().method();
    if (target.allows(method)) {
      target.api().handle(exchange);
      return;
    }
    if (method.equals("OPTIONS")) {
      exchange.response().header("Allow", allow(target.route()));
      exchange.response().respond(204, "text/plain").end();
      return;
    }
    throw notAllowed(exchange, target);
  }

  /**
   * Finds the API of a request before its body arrives, so that a refusal has the form of that API.
   *
   * @return the reason why the body need not be awaited: no API serves the request; null if one
   *     does
   */
  public @Nullable EvitaException identify(HttpExchange exchange) {
    var target = find(exchange.request().path());
    if (target == null) {
      return notFound(exchange);
    }
    exchange.isFor(target.api());
    var method = exchange.request().method();
    return target.allows(method) || method.equals("OPTIONS") ? null : notAllowed(exchange, target);
  }

  private static EvitaException notAllowed(HttpExchange exchange, Target target) {
    var allowed = allow(target.route());
    exchange.response().header("Allow", allowed);
    return new EvitaException(
        HttpErrorCode.METHOD_NOT_ALLOWED,
        shortened(exchange.request().method())
            + " is not allowed on this path; use one of "
            + allowed);
  }

  private static EvitaException notFound(HttpExchange exchange) {
    return new EvitaException(
        HttpErrorCode.NOT_FOUND, "No resource at '" + shortened(exchange.request().path()) + "'");
  }

  private @Nullable Target find(String path) {
    var target = exact.get(path);
    if (target != null) {
      return target;
    }
    for (var candidate : prefixes) {
      if (candidate.route().matches(path)) {
        return candidate;
      }
    }
    for (var each : streaming) {
      if (each.api().takes(path)) {
        return new Target(Route.exact(path, "POST"), each.api());
      }
    }
    return others;
  }

  private static String allow(Route route) {
    var methods = new ArrayList<>(route.methods());
    if (methods.contains("GET") && !methods.contains("HEAD")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    return String.join(", ", methods);
  }

  private static String shortened(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }
}
