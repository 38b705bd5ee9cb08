// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Tells browsers which pages may read answers (Fetch, section 3.3). One for all APIs; there is none
 * where nothing is configured. Immutable.
 *
 * <p>An answer to a page that may not read it is like any other, without the headers: it is the
 * browser that keeps it away.
 */
public final class Cors {

  /** What scripts may see of an answer beyond what Fetch lets them. */
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

  /** Null where no origin is allowed. */
  public static @Nullable Cors of(CorsOptions options) {
    return options.corsOrigins().isEmpty() ? null : new Cors(options);
  }

  /** Whether pages of this origin may use the server. */
  boolean allows(String origin) {
    return any || origins.contains(origin);
  }

  /**
   * Adds to the head of an answer.
   *
   * @param response has {@code Allow} where the request was {@code OPTIONS} for a path that is
   *     there
   */
  public void answer(boolean options, HeaderMap request, HeaderMap response) {
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

  /** As {@link #answer} to a page; it may read all headers that the answer has by now. */
  public void answerWithAll(HeaderMap request, HeaderMap response) {
    var names = new StringJoiner(", ");
    for (var name : response.getHeaderNames()) {
      names.add(name.toString());
    }
    answer(false, request, response);
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
      // Who may read answers may also ask for them in any way; each API ignores what it does not
      // know.
      response.put(ALLOW_HEADERS, headers);
    }
    if (!any && "true".equals(request.getFirst(REQUEST_PRIVATE))) {
      response.put(ALLOW_PRIVATE, "true");
    }
  }

  /**
   * Whether a request that changes something is not one that a foreign page makes behind its
   * reader's back: a form, or a script that needs no answer, is sent by browsers without a
   * preflight. What the browser says of it counts most, since a proxy may have changed the {@code
   * Host}; clients that are no browsers say nothing.
   *
   * @param cors null where nothing is configured
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
   * Whether a WebSocket may be opened: browsers let any page do so, and leave it to the server.
   * Clients that are no browsers send no origin.
   *
   * @param cors null where nothing is configured
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
