// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Probes for Kubernetes and its like: {@code /system/liveness} answers 200 as long as the process
 * can answer at all; {@code /system/readiness} 200 only while it takes requests and the engine
 * answers, else 503.
 */
final class SystemApi implements Api {

  private static final byte[] UP = "{\"status\":\"UP\"}".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DOWN = "{\"status\":\"DOWN\"}".getBytes(StandardCharsets.US_ASCII);
  private static final String LIVENESS = "/system/liveness";
  private static final String READINESS = "/system/readiness";

  private final BooleanSupplier ready;

  SystemApi(BooleanSupplier ready) {
    this.ready = ready;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.exact(LIVENESS, "GET"), Route.exact(READINESS, "GET"));
  }

  @Override
  public void handle(Exchange exchange) {
    var up = exchange.path().equals(LIVENESS) || ready.getAsBoolean();
    exchange.responseHeader("Cache-Control", "no-store");
    exchange.send(up ? 200 : 503, "application/json", up ? UP : DOWN);
  }
}
