// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Probes for Kubernetes and others. {@code /system/liveness} returns 200 as long as the process can
 * respond at all. {@code /system/readiness} returns 200 only while the server accepts requests and
 * the database is reachable, else 503 with the reason.
 */
final class SystemApi implements Api {

  private static final String LIVENESS = "/system/liveness";
  private static final String READINESS = "/system/readiness";

  private final Supplier<@Nullable EvitaException> unready;

  /**
   * @param unready supplies the reason why the server is not ready; null if it is ready
   */
  SystemApi(Supplier<@Nullable EvitaException> unready) {
    this.unready = unready;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.exact(LIVENESS, "GET"), Route.exact(READINESS, "GET"));
  }

  @Override
  public void handle(Exchange exchange) {
    var reason = exchange.request().path().equals(LIVENESS) ? null : unready.get();
    exchange.response().header("Cache-Control", "no-store");
    var body = exchange.response().respond(reason == null ? 200 : 503, "application/json");
    if (reason == null) {
      body.json().raw("{\"status\":\"UP\"}");
    } else {
      body.json().raw("{\"status\":\"DOWN\",\"code\":\"" + reason.code().name() + "\",\"detail\":");
      body.json().string(reason.publicMessage());
      body.json().raw('}');
    }
    body.end();
  }
}
