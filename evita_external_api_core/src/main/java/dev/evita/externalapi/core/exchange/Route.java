// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.util.List;

/**
 * A set of paths that an API serves.
 *
 * @param path the exact path, or with {@code prefix} this path and all below it; starts with a
 *     slash and does not end with one
 * @param methods the allowed methods; any other gets 405 with {@code Allow}. The server itself
 *     responds to {@code OPTIONS}; see also {@link #others}
 */
public record Route(String path, boolean prefix, List<String> methods) {

  private static final String ANY_METHOD = "*";

  public Route {
    methods = List.copyOf(methods);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a route must start with '/': " + path);
    }
  }

  /** One path. */
  public static Route exact(String path, String... methods) {
    return new Route(path, false, List.of(methods));
  }

  /** All paths that no other route serves, with any method. */
  public static Route others() {
    return new Route("/", true, List.of(ANY_METHOD));
  }

  /** Whether any method is allowed; the API itself responds to {@code OPTIONS} then. */
  public boolean allowsAll() {
    return methods.contains(ANY_METHOD);
  }

  /** Whether the path is among those of this route. */
  public boolean matches(String requested) {
    return prefix
        ? requested.startsWith(path)
            && (requested.length() == path.length()
                || requested.charAt(path.length()) == '/'
                || path.endsWith("/"))
        : requested.equals(path);
  }

  /** A path and all below it. */
  public static Route below(String path, String... methods) {
    return new Route(path, true, List.of(methods));
  }
}
