// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.candidates.evita.EchoEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.grpc.GrpcProvider;
import java.util.concurrent.Executors;

/** {@link GrpcRows} on our transport, on the connections' threads or on workers. */
final class GrpcServer {

  private GrpcServer() {}

  public static void main(String[] arguments) {
    start(arguments, GrpcProvider.direct(new GrpcRows()));
  }

  @SuppressWarnings("resource") // it serves until the process is killed
  private static void start(String[] arguments, GrpcProvider provider) {
    var options =
        ServerOptions.builder()
            .port(Integer.parseInt(arguments[0]))
            .ioThreads(Integer.getInteger("io.threads", 2))
            .build();
    ExternalApiServer.over(new EchoEngine()).options(options).provider(provider).start();
  }

  /** The same on workers. */
  static final class OnWorkers {

    private OnWorkers() {}

    @SuppressWarnings("resource") // they work until the process is killed
    public static void main(String[] arguments) {
      start(arguments, GrpcProvider.of(Executors.newFixedThreadPool(4), new GrpcRows()));
    }
  }
}
