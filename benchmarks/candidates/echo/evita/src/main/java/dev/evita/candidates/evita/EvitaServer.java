// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.evita;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.GraphQlProvider;

/** The echo query by GraphQL, through the same contract and path as any other. */
public final class EvitaServer {

  private EvitaServer() {}

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    var options = GraphQlOptions.builder();
    if (!Boolean.getBoolean("document.cache")) {
      options.planCacheChars(1); // nothing fits: each request is parsed, validated and planned
    }
    ExternalApiServer.over(new EchoEngine())
        .options(
            ServerOptions.builder()
                .port(Integer.getInteger("port"))
                .workerQueue(
                    2_000) // planning is work for workers, and 1 024 connections are measured
                .build())
        .provider(new GraphQlProvider(options.build()))
        .withoutDiscovery()
        .start();
  }
}
