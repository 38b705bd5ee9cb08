// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.server.EmbeddedConfiguration;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The server over the application's data source, started and stopped with the context.
 *
 * <p>It starts after all beans exist, and so after migrations of the schema. It stops before any
 * bean is destroyed: running requests end within {@code evita.drain}, then the engine closes, and
 * the data source stays the context's to close. Thread-safe.
 */
public final class EvitaServer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(EvitaServer.class);

  /** The engine and the server over it, both open. */
  record Running(Engine engine, ExternalApiServer server) {}

  /**
   * The result of a health check.
   *
   * @param code the HTTP status of {@code /system/readiness}, or {@code SHUTTING_DOWN} after the
   *     server has stopped; null if it is ready
   * @param detail the database if the server is ready, otherwise the response of the probe
   */
  record Readiness(@Nullable String code, String detail) {}

  private final DataSource source;
  private final EmbeddedConfiguration configuration;
  private final List<ApiProvider> providers;
  private volatile @Nullable Running running;

  EvitaServer(DataSource source, EmbeddedConfiguration configuration, List<ApiProvider> providers) {
    this.source = source;
    this.configuration = configuration;
    this.providers = List.copyOf(providers);
  }

  /**
   * Opens the engine and starts the server; returns once it accepts connections.
   *
   * @throws EvitaException {@code DATABASE_UNREACHABLE}, {@code ADDRESS_IN_USE}, {@code
   *     INVALID_CONFIGURATION}
   */
  @Override
  public synchronized void start() {
    if (running != null) {
      return;
    }
    var engine = configuration.open(source);
    try {
      var server = configuration.start(engine, providers);
      running = new Running(engine, server);
      LOG.info("Evita serves {} at {}", engine.name(), server.uri());
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  /**
   * Stops accepting requests, lets running ones end within {@code evita.drain}, and closes the
   * engine.
   */
  @Override
  public synchronized void stop() {
    var stopping = running;
    if (stopping != null) {
      try {
        stopping.server().close();
      } finally {
        stopping.engine().close();
        running = null;
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  /** Returns the URI for clients on this machine; empty while the server is stopped. */
  public Optional<URI> uri() {
    return Optional.ofNullable(running).map(open -> open.server().uri());
  }

  /** Null while the server is stopped. */
  @Nullable Running running() {
    return running;
  }

  /** Returns the response of {@code /system/readiness}, without a socket. */
  Readiness readiness() {
    var open = running;
    if (open == null) {
      return new Readiness(ErrorCode.SHUTTING_DOWN.name(), "The server is stopped");
    }
    var response = open.server().client().send(InProcessClient.Request.get("/system/readiness"));
    return response.status() == 200
        ? new Readiness(null, open.engine().name())
        : new Readiness(String.valueOf(response.status()), response.text());
  }
}
