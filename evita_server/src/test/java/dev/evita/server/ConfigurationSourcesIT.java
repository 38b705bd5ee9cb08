// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigurationSourcesIT {

  private final ConfigurationKeys keys = new ConfigurationKeys(Configuration.DEFAULT);

  @TempDir private Path directory;

  @Test
  void read_noSettings_returnsDefaults() {
    assertThat(read(Map.of(), Map.of())).isEqualTo(Configuration.DEFAULT);
  }

  @Test
  void read_sameKeyEverywhere_followsPrecedence() throws IOException {
    var file = file("port: 1\nhost: a\ndrain: 1s\nmax-depth: 7\n");
    var environment = Map.of("EVITA_PORT", "2", "EVITA_HOST", "b", "EVITA_CONFIG", file.toString());

    var server = read(environment, Map.of("port", "3")).server();

    assertThat(server.port()).isEqualTo(3);
    assertThat(server.host()).isEqualTo("b");
    assertThat(server.drain()).isEqualTo(Duration.ofSeconds(1));
    assertThat(server.limits().maxDepth()).isEqualTo(7);
    assertThat(server.limits().maxRows()).isEqualTo(Limits.DEFAULT.maxRows());
  }

  @Test
  void read_fileByFlag_precedesFileByEnvironment() throws IOException {
    var file = file("port: 1");
    var sources =
        new ConfigurationSources(keys, Map.of("EVITA_CONFIG", directory + "/absent.yaml"));

    assertThat(sources.read(file, Map.of()).server().port()).isEqualTo(1);
  }

  @Test
  void read_yamlMapAndList_areAccepted() throws IOException {
    var text =
        """
        # comments and quotes are YAML's
        schemas: [sales, "Odd Name"]
        relationship-names:
          orders.customer: buyer
          customers.orders: purchases
        password: 'a: b'
        """;

    var configuration = readFile(text);

    assertThat(configuration.database().schemas()).containsExactly("sales", "Odd Name");
    assertThat(configuration.database().password()).isEqualTo("a: b");
    assertThat(configuration.server().relationshipNames())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("orders.customer", "buyer", "customers.orders", "purchases"));
  }

  @Test
  void read_emptyFile_returnsDefaults() throws IOException {
    assertThat(readFile("")).isEqualTo(Configuration.DEFAULT);
    assertThat(readFile("# nothing yet\n")).isEqualTo(Configuration.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "max-body-bytes, 64KiB, 65536",
    "max-body-bytes, 2 MiB, 2097152",
    "max-body-bytes, 17, 17",
    "max-body-bytes, 17B, 17",
  })
  void read_size_isBytes(String key, String text, int bytes) {
    assertThat(read(Map.of(), Map.of(key, text)).server().limits().maxBodyBytes()).isEqualTo(bytes);
  }

  @Test
  void read_optionalPort_isANumberOrNone() {
    assertThat(read(Map.of(), Map.of()).server().managementPort()).isNull();
    assertThat(read(Map.of("EVITA_MANAGEMENT_PORT", "0"), Map.of()).server().managementPort())
        .isZero();
  }

  @Test
  void read_allowedHosts_areAList() throws IOException {
    var flags = Map.of("allowed-hosts", "db.example, *.example.com");
    assertThat(read(Map.of(), flags).server().allowedHosts())
        .containsExactly("db.example", "*.example.com");
    assertThat(readFile("allowed-hosts: ['*']").server().allowedHosts()).containsExactly("*");
  }

  @ParameterizedTest
  @CsvSource({"500ms, 500", "30s, 30000", "2m, 120000", "1h, 3600000", "1d, 86400000"})
  void read_duration_hasUnit(String text, long millis) {
    var server = read(Map.of(), Map.of("request-timeout", text)).server();

    assertThat(server.limits().requestTimeout()).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void read_pairsAsText_areMap() {
    var server = read(Map.of("EVITA_RELATIONSHIP_NAMES", "a.b=c, d.e = f"), Map.of()).server();

    assertThat(server.relationshipNames())
        .containsExactlyInAnyOrderEntriesOf(Map.of("a.b", "c", "d.e", "f"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port|abc|port is 'abc' (flag --port); expected a whole number such as 100",
        "port|5.5|port is '5.5' (flag --port); expected a whole number such as 100",
        "port|99999999999|port is '99999999999' (flag --port); expected a whole number such as 100",
        "port|99999|port is 99999; expected a number from 0 (any free port) to 65535 (flag --port)",
        "request-timeout|30|request-timeout is '30' (flag --request-timeout); expected a duration"
            + " such as 500ms, 30s, 2m or 1h",
        "max-body-bytes|1MB|max-body-bytes is '1MB' (flag --max-body-bytes); expected a number of"
            + " bytes below 2 GiB such as 1048576, 64KiB or 1MiB",
        "max-body-bytes|4GiB|max-body-bytes is '4GiB' (flag --max-body-bytes); expected a number of"
            + " bytes below 2 GiB such as 1048576, 64KiB or 1MiB",
        "max-body-bytes|0|max-body-bytes is 0; expected a number of at least 1 (flag"
            + " --max-body-bytes)",
        "pool-size|0|pool-size is 0; expected 1 to 1000 (flag --pool-size)",
        "tls-self-signed|yes|tls-self-signed is 'yes' (flag --tls-self-signed); expected true or"
            + " false",
        "relationship-names|a|relationship-names is 'a' (flag --relationship-names); expected pairs"
            + " such as a=b,c=d, or a YAML map",
      })
  void read_invalidValue_isReportedWithKeyValueSourceAndExpectation(
      String key, String value, String message) {
    assertThatThrownBy(() -> read(Map.of(), Map.of(key, value)))
        .isInstanceOf(EvitaException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port: 1\\nprot: 2|:2: unknown key 'prot'; did you mean port?",
        "port: 1\\nnonsense-and-more: 2|:2: unknown key 'nonsense-and-more'",
        "port: 1\\nport: 2|:2: key 'port' occurs twice; remove one",
        "port:|:1: key 'port' has no value; set one or remove the line",
        "\\nport: [1, 2]|:2); expected a whole number such as 100",
        "host: x\\nport: {a: 1}|:2); expected a whole number such as 100",
        "schemas: [[a]]|:1: key 'schemas' is nested too deeply; expected single values",
        "- port|:1: expected lines such as 'port: 5555'",
        "just text|:1: expected lines such as 'port: 5555'",
        "port: 1\\n---\\nport: 2|expected one YAML document, not several",
        "port: 'open|this is not YAML",
        "port: 70000|port is 70000; expected a number from 0 (any free port) to 65535",
      })
  void read_invalidFile_isReportedWithItsLine(String text, String message) throws IOException {
    var file = file(text.replace("\\n", "\n"));

    assertThatThrownBy(() -> new ConfigurationSources(keys, Map.of()).read(file, Map.of()))
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(file + ":");
  }

  @Test
  void read_absentFile_isRejected() {
    assertThatThrownBy(() ->
            new ConfigurationSources(keys, Map.of())
                .read(directory.resolve("absent.yaml"), Map.of()))
        .hasMessageContaining("does not exist")
        .hasMessageContaining("--config");
  }

  @Test
  void read_binaryFile_isRejected() throws IOException {
    var file = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xff, 0, 1});

    assertThatThrownBy(() -> new ConfigurationSources(keys, Map.of()).read(file, Map.of()))
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void read_unknownVariable_isRejectedWithHint() {
    assertThatThrownBy(() -> read(Map.of("EVITA_PROT", "1"), Map.of()))
        .hasMessage("unknown environment variable EVITA_PROT; did you mean EVITA_PORT?");
    assertThatThrownBy(() -> read(Map.of("EVITA_SOMETHING_ELSE", "1"), Map.of()))
        .hasMessage("unknown environment variable EVITA_SOMETHING_ELSE; unset it");
  }

  @Test
  void read_foreignVariables_areIgnored() {
    var environment = Map.of("PATH", "/bin", "EVITA_JAVA_OPTS", "-Xmx1g", "EVITABLE", "x");

    assertThat(read(environment, Map.of())).isEqualTo(Configuration.DEFAULT);
  }

  @Test
  void read_kubernetesServiceVariables_areIgnored() {
    var environment =
        Map.of(
            "EVITA_SERVICE_HOST", "10.96.3.7",
            "EVITA_SERVICE_PORT", "80",
            "EVITA_SERVICE_PORT_HTTP", "80",
            "EVITA_PORT", "tcp://10.96.3.7:80",
            "EVITA_PORT_80_TCP", "tcp://10.96.3.7:80",
            "EVITA_PORT_80_TCP_PROTO", "tcp",
            "EVITA_PORT_80_TCP_PORT", "80",
            "EVITA_PORT_80_TCP_ADDR", "10.96.3.7");

    assertThat(read(environment, Map.of())).isEqualTo(Configuration.DEFAULT);
    assertThat(read(Map.of("EVITA_PORT", "udp://10.96.3.7:80"), Map.of()))
        .isEqualTo(Configuration.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"EVITA_SERVICE", "EVITA_SERVICE_HOSTS", "EVITA_PORT_X_TCP", "EVITA_PORT_80_TCP_X"})
  void read_almostServiceVariables_areRejected(String name) {
    assertThatThrownBy(() -> read(Map.of(name, "1"), Map.of()))
        .hasMessageContaining("unknown environment variable " + name);
  }

  @Test
  void configuration_toString_omitsPasswords() {
    var configuration =
        read(Map.of("EVITA_PASSWORD", "secret1"), Map.of("tls-password", "secret2"));

    assertThat(configuration.toString()).doesNotContain("secret");
  }

  @Test
  void configuration_defaults_arePinned() {
    var texts = new HashMap<String, String>();
    keys.all().forEach(key -> texts.put(key.name(), key.standardText()));

    assertThat(texts)
        .containsEntry("db", "none")
        .containsEntry("pool-size", "10")
        .containsEntry("connect-timeout", "10s")
        .containsEntry("statement-cache-size", "256")
        .containsEntry("host", "127.0.0.1")
        .containsEntry("port", "5555")
        .containsEntry("tls-self-signed", "false")
        .containsEntry("max-body-bytes", "1MiB")
        .containsEntry("max-header-bytes", "32KiB")
        .containsEntry("max-url-bytes", "16KiB")
        .containsEntry("max-connections", "10000")
        .containsEntry("max-rows", "1000000")
        .containsEntry("max-held-rows", "100000")
        .containsEntry("max-depth", "50")
        .containsEntry("idle-timeout", "1m")
        .containsEntry("request-timeout", "30s")
        .containsEntry("io-threads", "0")
        .containsEntry("worker-threads", "0")
        .containsEntry("worker-queue", "1000")
        .containsEntry("drain", "10s")
        .containsEntry("catalog-refresh", "250ms")
        .containsEntry("allowed-hosts", "none")
        .containsEntry("management-port", "none")
        .containsEntry("management-host", "127.0.0.1");
  }

  @Test
  void keys_defaultTexts_parseToTheDefaults() {
    var flags = new HashMap<String, String>();
    keys.all().stream()
        .filter(key -> !key.standardText().equals("none"))
        .forEach(key -> flags.put(key.name(), key.standardText()));

    assertThat(read(Map.of(), flags)).isEqualTo(Configuration.DEFAULT);
  }

  @Test
  void keys_all_areDescribed() {
    assertThat(keys.all())
        .allSatisfy(key -> assertThat(key.description()).endsWith(".").hasSizeGreaterThan(10));
    assertThat(List.copyOf(keys.all())).extracting(ConfigurationKey::flag).doesNotHaveDuplicates();
  }

  private Configuration read(Map<String, String> environment, Map<String, String> flags) {
    var settings = new HashMap<String, Setting>();
    flags.forEach((key, value) -> settings.put(key, Setting.of("flag --" + key, value)));
    return new ConfigurationSources(keys, environment).read(null, settings);
  }

  private Configuration readFile(String text) throws IOException {
    return new ConfigurationSources(keys, Map.of()).read(file(text), Map.of());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("evita.yaml"), text);
  }
}
