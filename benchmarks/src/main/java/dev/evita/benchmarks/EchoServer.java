// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;

/** The echo query by GraphQL, through the same contract and path as any other. */
final class EchoServer {

  private EchoServer() {}

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    var options =
        ServerOptions.builder()
            .port(Integer.parseInt(arguments[0]))
            .ioThreads(Integer.getInteger("io.threads", 2))
            .build();
    ExternalApiServer.over(new EchoEngine()).options(options).start();
  }
}
