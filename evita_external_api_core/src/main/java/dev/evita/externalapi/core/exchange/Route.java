// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.util.List;

/**
 * Which requests an API takes.
 *
 * @param path the exact path, or with {@code prefix} this path and all below it; starts with a
 *     slash and does not end with one
 * @param methods the allowed ones; any other is answered 405 with {@code Allow}. {@code OPTIONS} is
 *     answered by the host
 */
public record Route(String path, boolean prefix, List<String> methods) {

  public Route {
    methods = List.copyOf(methods);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a route starts with '/': " + path);
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
