// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/configuration.md} is generated from the configuration records, and must be up to
 * date.
 */
final class ConfigurationDocumentIT {

  private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");

  private static final String HEAD =
      """
      # Configuration

      <!-- Generated from the configuration records. To regenerate it after a change:
           mvn verify -pl evita_server -am -Devita.docs=write -Dit.test=ConfigurationDocumentIT \
      -Dfailsafe.failIfNoSpecifiedTests=false -->

      `./evita serve` and `./evita demo` read each key from these sources, in order of precedence:

      1. the flag: `--max-body-bytes 2MiB`
      2. the environment: `EVITA_MAX_BODY_BYTES=2MiB`
      3. the file that `--config` or `EVITA_CONFIG` names, in YAML: `max-body-bytes: 2MiB`
      4. the default in the tables below

      An unknown key or `EVITA_` variable, an invalid value and one that is out of range
      abort the start with one line on standard error and exit status 2.

      Variables that Kubernetes sets for a Service named `evita` are ignored: `EVITA_SERVICE_HOST`,
      `EVITA_SERVICE_PORT`, `EVITA_SERVICE_PORT_*`, `EVITA_PORT_<n>_TCP*`, `EVITA_PORT_<n>_UDP*`, and
      `EVITA_PORT` if it begins with `tcp://` or `udp://`.

      | kind | syntax |
      |---|---|
      | duration | `500ms`, `30s`, `2m`, `1h`, `1d` |
      | size | `1048576`, `64KiB`, `1MiB`, `1GiB` |
      | list | `a,b`; in the file also a YAML list |
      | pairs | `a=b,c=d`; in the file also a YAML map |
      """;

  private static final String TAIL =
      """

      ## Other settings

      | setting | meaning |
      |---|---|
      | `--data` | the directory of the demo database: `$XDG_DATA_HOME/evita/demo`, else \
      `~/.local/share/evita/demo` |
      | `EVITA_CONFIG` | the configuration file, unless `--config` is given |
      | `EVITA_JAVA_OPTS` | JVM options, read by `./evita`: `EVITA_JAVA_OPTS=-Xmx512m` |
      | `JAVA_HOME` | the JDK that `./evita` uses, if it is 21 or newer |

      ## A file

      ```yaml
      db: jdbc:postgresql://localhost/shop
      user: shop
      port: 8080
      request-timeout: 10s
      relationship-names:
        orders.customer: buyer
      ```

      ## Exit status

      | status | meaning |
      |---|---|
      | 0 | `--help` or `--version` was printed |
      | 1 | internal error; the log has a stack trace |
      | 2 | an error to correct (flags, file, database, port); reported by one line on standard error |
      | 130, 143 | stopped by Ctrl-C (SIGINT) or SIGTERM, after requests in progress ended and the \
      database was closed |
      """;

  @Test
  void document_fromKeys_isUpToDate() throws IOException {
    var text = document();
    if ("write".equals(System.getProperty("evita.docs"))) {
      Files.writeString(DOCUMENT, text);
    }

    assertThat(Files.readString(DOCUMENT))
        .as("docs/configuration.md; its header explains how to regenerate it")
        .isEqualTo(text);
  }

  private static String document() {
    var text = new StringBuilder(HEAD);
    var group = "";
    for (var key : new ConfigurationKeys(Configuration.DEFAULT).all()) {
      if (!key.group().equals(group)) {
        group = key.group();
        text.append("\n## ").append(title(group)).append("\n\n");
        text.append("| key | kind | default | meaning |\n|---|---|---|---|\n");
      }
      text.append(row(key));
    }
    return text.append(TAIL).toString();
  }

  private static String title(String group) {
    var name = Character.toUpperCase(group.charAt(0)) + group.substring(1);
    return name.replace("Tls", "TLS").replace("Graph ql", "GraphQL");
  }

  private static String row(ConfigurationKey key) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            key.name(),
            key.kind().label().replace("|", " or "),
            key.standardText(),
            key.description().replace("|", "\\|"));
  }
}
