// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.testkit.ForwardingEngine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class CatalogRefreshIT {

  /** Fails every second refresh of its catalog, except the first. */
  private static final class FlappingEngine extends ForwardingEngine {
    private final AtomicInteger reads = new AtomicInteger();

    FlappingEngine() {
      super(new EmptyEngine());
    }

    @Override
    public Catalog refresh() {
      if (reads.getAndIncrement() % 2 == 1) {
        throw new EvitaException(ErrorCode.DATABASE_ERROR, "No catalog");
      }
      return super.refresh();
    }
  }

  @Test
  void refresh_repeatedFailures_areLoggedOnceThenCounted() {
    var options = ServerOptions.builder().catalogRefresh(Duration.ofMillis(5)).port(0).build();
    var engine = new FlappingEngine();
    try (var log = new LogRecords()) {
      try (var server = ExternalApiServer.over(engine).options(options).start()) {
        assertThat(server.port()).isPositive();
        while (engine.reads.get() < 10) {
          Thread.onSpinWait();
        }
      }
      assertThat(log.messages())
          .filteredOn(message -> message.contains("Catalog refresh failed"))
          .hasSize(2)
          .first()
          .asString()
          .contains("still serving epoch", "No catalog");
    }
  }
}
