// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports the readiness of the server to the Actuator of Spring Boot 4. */
final class ContributorHealthIndicator implements HealthIndicator {

  private final EvitaServer server;

  ContributorHealthIndicator(EvitaServer server) {
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
