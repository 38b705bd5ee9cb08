// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Registers what the server counts as gauges; their values are NaN while it is stopped. */
final class EvitaMetrics implements MeterBinder {

  private final EvitaServer server;

  EvitaMetrics(EvitaServer server) {
    this.server = server;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(
        registry,
        "evita.connections",
        "Open connections of clients",
        running -> running.server().connections());
    gauge(
        registry,
        "evita.engine.waiting",
        "Requests that wait for a connection to the database",
        running -> running.engine().waiting());
    gauge(
        registry,
        "evita.catalog.epoch",
        "Number of the catalog that is served; it grows with each change of the schema",
        running -> running.engine().catalog().epoch());
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<EvitaServer.Running> value) {
    Gauge.builder(name, server, source -> read(source, value))
        .description(description)
        .register(registry);
  }

  private static double read(EvitaServer source, ToDoubleFunction<EvitaServer.Running> value) {
    var running = source.running();
    return running == null ? Double.NaN : value.applyAsDouble(running);
  }
}
