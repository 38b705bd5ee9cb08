// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Sets the CORS headers by which browsers decide which pages may read responses (Fetch, section
 * 3.3). One for all APIs; null if none is configured. Immutable.
 *
 * <p>A response to a page that may not read it only lacks these headers: the browser withholds it.
 */
public final class Cors {

  /** The headers that scripts may read beyond those that Fetch always exposes. */
  private static final String EXPOSED =
      "Allow, Content-Encoding, Content-Range, ETag, Idempotent-Replayed, Link, Location,"
          + " Preference-Applied, Retry-After";

  private static final String ON_REQUESTED =
      "Access-Control-Request-Method, Access-Control-Request-Headers";

  private static final HttpString ALLOW_ORIGIN = new HttpString("Access-Control-Allow-Origin");
  private static final HttpString ALLOW_CREDENTIALS =
      new HttpString("Access-Control-Allow-Credentials");
  private static final HttpString ALLOW_METHODS = new HttpString("Access-Control-Allow-Methods");
  private static final HttpString ALLOW_HEADERS = new HttpString("Access-Control-Allow-Headers");
  private static final HttpString ALLOW_PRIVATE =
      new HttpString("Access-Control-Allow-Private-Network");
  private static final HttpString EXPOSE_HEADERS = new HttpString("Access-Control-Expose-Headers");
  private static final HttpString FETCH_SITE = new HttpString("Sec-Fetch-Site");
  private static final HttpString MAX_AGE = new HttpString("Access-Control-Max-Age");
  private static final HttpString REQUEST_METHOD = new HttpString("Access-Control-Request-Method");
  private static final HttpString REQUEST_HEADERS =
      new HttpString("Access-Control-Request-Headers");
  private static final HttpString REQUEST_PRIVATE =
      new HttpString("Access-Control-Request-Private-Network");

  private final Set<String> origins;
  private final boolean any;
  private final boolean credentials;
  private final String maxAge;

  private Cors(CorsOptions options) {
    origins = Set.copyOf(options.corsOrigins());
    any = origins.contains(CorsOptions.ANY);
    credentials = options.corsCredentials();
    maxAge = Long.toString(options.corsMaxAge().toSeconds());
  }

  /** Null if no origin is allowed. */
  public static @Nullable Cors of(CorsOptions options) {
    return options.corsOrigins().isEmpty() ? null : new Cors(options);
  }

  /** Whether pages of this origin may use the server. */
  boolean allows(String origin) {
    return any || origins.contains(origin);
  }

  /**
   * Adds the CORS headers to the head of a response.
   *
   * @param response has {@code Allow} if the request was {@code OPTIONS} for an existing path
   */
  public void addHeaders(boolean options, HeaderMap request, HeaderMap response) {
    if (!any) {
      response.add(Headers.VARY, "Origin");
    }
    var origin = request.getFirst(Headers.ORIGIN);
    if (origin == null || !allows(origin)) {
      return;
    }
    response.put(ALLOW_ORIGIN, any ? CorsOptions.ANY : origin);
    if (credentials) {
      response.put(ALLOW_CREDENTIALS, "true");
    }
    if (options && request.contains(REQUEST_METHOD)) {
      preflight(request, response);
    } else {
      response.put(EXPOSE_HEADERS, EXPOSED);
    }
  }

  /** Like {@link #addHeaders} for a page; it may read all headers set on the response so far. */
  public void addHeadersExposingAll(HeaderMap request, HeaderMap response) {
    var names = new StringJoiner(", ");
    for (var name : response.getHeaderNames()) {
      names.add(name.toString());
    }
    addHeaders(false, request, response);
    if (response.contains(EXPOSE_HEADERS)) {
      response.put(EXPOSE_HEADERS, names.toString());
    }
  }

  private void preflight(HeaderMap request, HeaderMap response) {
    response.add(Headers.VARY, ON_REQUESTED);
    var methods = response.getFirst(Headers.ALLOW);
    if (methods == null) {
      return;
    }
    response.put(ALLOW_METHODS, methods);
    response.put(MAX_AGE, maxAge);
    var headers = request.getFirst(REQUEST_HEADERS);
    if (headers != null) {
      // A page that may read responses may also send any headers; each API ignores those that it
      // does
      // not know.
      response.put(ALLOW_HEADERS, headers);
    }
    if (!any && "true".equals(request.getFirst(REQUEST_PRIVATE))) {
      response.put(ALLOW_PRIVATE, "true");
    }
  }

  /**
   * Whether a request that changes data is not a cross-site request: browsers send forms, and
   * requests of scripts that need no response, without a preflight. The browser's {@code
   * Sec-Fetch-Site} takes precedence, since a proxy may have changed the {@code Host}; clients
   * other than browsers send none.
   *
   * @param cors null if nothing is configured
   */
  public static boolean allowsChange(@Nullable Cors cors, HeaderMap request) {
    var origin = request.getFirst(Headers.ORIGIN);
    if (origin != null && cors != null && cors.allows(origin)) {
      return true;
    }
    var site = request.getFirst(FETCH_SITE);
    return site == null
        ? allowsSocket(cors, request)
        : site.equals("same-origin") || site.equals("none");
  }

  /**
   * Whether a WebSocket may be opened: browsers let any page open one, and leave the check to the
   * server. Clients other than browsers send no origin.
   *
   * @param cors null if nothing is configured
   */
  public static boolean allowsSocket(@Nullable Cors cors, HeaderMap request) {
    var origin = request.getFirst(Headers.ORIGIN);
    if (origin == null) {
      return true;
    }
    var own = origin.substring(origin.indexOf("://") < 0 ? 0 : origin.indexOf("://") + 3);
    return own.equalsIgnoreCase(request.getFirst(Headers.HOST))
        || (cors != null && cors.allows(origin));
  }
}
