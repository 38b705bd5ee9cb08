// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import dev.evita.externalapi.core.exchange.ApiProvider;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Serves the application's {@code DataSource} on a port of its own, unless {@code evita.enabled} is
 * false.
 *
 * <p>Works with Spring Boot 3.5 and 4, whose packages differ: auto-configurations of the data
 * source are named rather than referenced, and each version has its own health indicator.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
    })
@ConditionalOnProperty(
    prefix = EvitaProperties.PREFIX,
    name = EvitaProperties.ENABLED,
    havingValue = "true",
    matchIfMissing = true)
@ConditionalOnSingleCandidate(DataSource.class)
public class EvitaAutoConfiguration {

  /** Returns the server, which the context starts last and stops first. */
  @Bean
  @ConditionalOnMissingBean
  EvitaServer evitaServer(
      DataSource source,
      ConfigurableEnvironment environment,
      ObjectProvider<ApiProvider> providers) {
    return new EvitaServer(
        source, EvitaProperties.read(environment), providers.orderedStream().toList());
  }

  /** The health indicator of Spring Boot 3.5. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  static class ActuatorHealthConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "evitaHealthIndicator")
    ActuatorHealthIndicator evitaHealthIndicator(EvitaServer server) {
      return new ActuatorHealthIndicator(server);
    }
  }

  /** The health indicator of Spring Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  static class ContributorHealthConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "evitaHealthIndicator")
    ContributorHealthIndicator evitaHealthIndicator(EvitaServer server) {
      return new ContributorHealthIndicator(server);
    }
  }

  /** Gauges in the application's registry. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.micrometer.core.instrument.binder.MeterBinder")
  static class MetricsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EvitaMetrics evitaMetrics(EvitaServer server) {
      return new EvitaMetrics(server);
    }
  }
}
