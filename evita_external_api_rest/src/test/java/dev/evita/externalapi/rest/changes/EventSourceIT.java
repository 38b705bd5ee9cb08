// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.rest.RestServer;
import dev.evita.testsupport.NodeProject;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The {@code EventSource} of browsers, from npm, follows rows over broken connections. */
@Tag("tools")
@Timeout(120)
final class EventSourceIT {

  @Test
  void eventSource_connectionLost_resumesAtItsPosition() throws Exception {
    var node = NodeProject.install("eventsource", "row changes with EventSource");
    try (var rest = RestServer.shop("h2")) {
      var url = rest.uri("/brands?select=name&order=id").toString();
      var process = node.start("node", "client.mjs", url);
      try (var told = process.inputReader()) {
        assertThat(told.readLine()).isEqualTo("{\"open\":\"\"}");
        assertThat(told.readLine()).startsWith("{\"event\":\"reset\",\"id\":\"0\"");
        for (var name : new String[] {"Acme", "Borg", "Zeta"}) {
          assertThat(told.readLine())
              .startsWith("{\"event\":\"insert\"")
              .endsWith("\"row\":{\"name\":\"" + name + "\"}}}");
        }
        var ready = told.readLine();
        assertThat(ready).startsWith("{\"event\":\"ready\",\"id\":\"");

        breakOff(process);
        rest.send("DELETE", "/trips?id=gt.0");
        rest.send("DELETE", "/brands?id=eq.3");
        assertThat(told.readLine()).isEqualTo("{\"open\":\"" + id(ready) + "\"}");
        var deleted = told.readLine();
        assertThat(deleted).startsWith("{\"event\":\"delete\"").endsWith("{\"key\":{\"id\":3}}}");
        assertThat(told.readLine()).startsWith("{\"event\":\"ready\"");

        breakOff(process);
        assertThat(told.readLine()).isEqualTo("{\"open\":\"" + id(deleted) + "\"}");
        assertThat(told.readLine()).startsWith("{\"event\":\"ready\"");
      } finally {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private static String id(String line) {
    var start = line.indexOf("\"id\":\"") + "\"id\":\"".length();
    return line.substring(start, line.indexOf('"', start));
  }

  private static void breakOff(Process process) throws IOException {
    process.outputWriter().write("break\n");
    process.outputWriter().flush();
  }
}
