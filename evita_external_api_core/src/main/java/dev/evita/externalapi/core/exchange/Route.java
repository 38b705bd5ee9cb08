// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.util.List;

/**
 * A set of paths that an API serves.
 *
 * @param path the exact path, or with {@code prefix} this path and all below it; starts with a
 *     slash and does not end with one
 * @param methods the allowed methods; any other gets 405 with {@code Allow}. The server itself
 *     responds to {@code OPTIONS}
 */
public record Route(String path, boolean prefix, List<String> methods) {

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

  /** A path and all below it. */
  public static Route below(String path, String... methods) {
    return new Route(path, true, List.of(methods));
  }
}
