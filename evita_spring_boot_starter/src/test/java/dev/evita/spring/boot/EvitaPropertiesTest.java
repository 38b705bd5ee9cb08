// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.server.EmbeddedConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Properties of Spring Boot as keys of Evita, in each notation that Spring Boot binds. */
final class EvitaPropertiesTest {

  @ParameterizedTest
  @CsvSource({
    "evita.max-depth, 0, max-depth is 0",
    "evita.maxDepth, 0, max-depth is 0",
    "evita.max_depth, 0, max-depth is 0",
    "evita.port, 70000, port is 70000",
    "evita.drain, 11m, drain is PT11M",
    "evita.durability, none, 'durability is ''none'''",
    "evita.cors-origins, '*,x y', cors-origins",
    "evita.allowed-hosts[0], http://a, allowed-hosts contains",
    "evita.graphql-path, graphql, graphql-path",
    "evita.rest-path, rest, rest-path",
    "evita.relationship-names, nothing, relationship-names",
  })
  void property_invalidValue_isRefusedWithKey(String property, String value, String message) {
    assertThatThrownBy(() -> read(Map.of(property, value)))
        .isInstanceOfSatisfying(
            EvitaException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
        .hasMessageContaining(message)
        .hasMessageContaining("expected");
  }

  @Test
  void property_invalidValue_isRefusedWithSource() {
    assertThatThrownBy(() -> read(Map.of("evita.port", "abc")))
        .hasMessageContaining("port is 'abc' (evita.port in ")
        .hasMessageContaining("\"test\"");
  }

  @ParameterizedTest
  @CsvSource({
    "evita.max-dept, did you mean max-depth?",
    "evita.prot, did you mean port?",
    "evita.db, Unknown property 'evita.db'",
    "evita.tls.certificate, Unknown property 'evita.tls.certificate'",
  })
  void property_unknown_isRefusedWithHint(String property, String message) {
    assertThatThrownBy(() -> read(Map.of(property, "1"))).hasMessageContaining(message);
  }

  @Test
  void properties_valid_areRead() {
    var values =
        Map.<String, Object>of(
            "evita.enabled", "true",
            "evita.port", "0",
            "evita.schemas[0]", "public",
            "evita.schemas[1]", "other",
            "evita.allowed-hosts", "a.example,b.example",
            "evita.relationship-names[orders.customer]", "buyer",
            "evita.max-body-bytes", "2MiB",
            "evita.request-timeout", "10s",
            "spring.application.name", "evita");

    assertThatCode(() -> read(values)).doesNotThrowAnyException();
  }

  @Test
  void everyKey_itsDefault_isAccepted() {
    for (var key : EmbeddedConfiguration.keys()) {
      if (!key.defaultText().equals("none")) {
        assertThatCode(() -> read(Map.of("evita." + key.name(), key.defaultText())))
            .as(key.name())
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void variable_isRead() {
    assertThatThrownBy(() -> readVariables(Map.of("EVITA_MAX_DEPTH", "0")))
        .hasMessageContaining("max-depth is 0");
  }

  @Test
  void variable_unknown_isRefusedWithHint() {
    assertThatThrownBy(() -> readVariables(Map.of("EVITA_MAX_DEPT", "3")))
        .hasMessageContaining("Unknown property 'EVITA_MAX_DEPT'")
        .hasMessageContaining("did you mean max-depth?");
  }

  @Test
  void variables_ofKubernetesService_areIgnored() {
    var values =
        Map.<String, Object>of(
            "EVITA_SERVICE_HOST", "10.0.0.1",
            "EVITA_SERVICE_PORT_HTTP", "5555",
            "EVITA_PORT", "tcp://10.0.0.1:5555",
            "EVITA_PORT_5555_TCP_ADDR", "10.0.0.1",
            "EVITA_JAVA_OPTS", "-Xmx1g");

    assertThatCode(() -> readVariables(values)).doesNotThrowAnyException();
  }

  @Test
  void metadata_everyKey_isDescribed() {
    var text = ConfigurationMetadata.text();

    for (var key : EmbeddedConfiguration.keys()) {
      assertThat(text).contains("{\"name\": \"evita." + key.name() + "\", \"type\": \"java.");
    }
    assertThat(text)
        .contains(
            "\"name\": \"evita.port\", \"type\": \"java.lang.Long\"", "\"defaultValue\": 5555")
        .doesNotContain("evita.password");
  }

  private static void read(Map<String, Object> properties) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    read(environment);
  }

  private static void readVariables(Map<String, Object> variables) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    read(environment);
  }

  private static void read(StandardEnvironment environment) {
    ConfigurationPropertySources.attach(environment);
    var unused = EvitaProperties.read(environment);
  }
}
