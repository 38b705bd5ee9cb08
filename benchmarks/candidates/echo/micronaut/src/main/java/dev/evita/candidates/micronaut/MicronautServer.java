// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.micronaut;

import io.micronaut.runtime.Micronaut;

/** Micronaut with its own controller for GraphQL, which answers on the event loops of its Netty. */
public final class MicronautServer {

  private MicronautServer() {}

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    Micronaut.run(MicronautServer.class, arguments);
  }
}
