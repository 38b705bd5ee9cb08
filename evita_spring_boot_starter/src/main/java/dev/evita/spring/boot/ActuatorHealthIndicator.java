// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Reports the readiness of the server to the Actuator of Spring Boot 3.5. */
final class ActuatorHealthIndicator implements HealthIndicator {

  private final EvitaServer server;

  ActuatorHealthIndicator(EvitaServer server) {
    this.server = server;
  }

  @Override
  public Health health() {
    var readiness = server.readiness();
    var code = readiness.code();
    return code == null
        ? Health.up().withDetail("database", readiness.detail()).build()
        : Health.down().withDetail("code", code).withDetail("detail", readiness.detail()).build();
  }
}
