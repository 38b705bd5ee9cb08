// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request that finds a changed schema is restarted, as if it were sent again. */
@Timeout(120)
final class RestartIT {

  private static String again(int changes, String body) {
    return "POST /again?n=%d HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(changes, body.length(), body);
  }

  @Test
  void restart_untilTheSchemaIsStable_respondsOnceWithTheWholeBody() {
    // One thread of each kind, so that leftovers of a request would affect the next one.
    try (var fixture =
            TestServer.start(options -> options.ioThreads(1).workerThreads(1).workerQueue(1));
        var client = fixture.connect()) {
      for (int i = 0; i < 20; i++) {
        fixture.api.tries.set(0);
        var answer = client.send(again(3, "body " + i)).read();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("body " + i);
        assertThat(fixture.api.tries).hasValue(4);
      }
    }
  }

  @Test
  void restart_schemaNeverStable_failsEventually() {
    try (var fixture = TestServer.start();
        var client = fixture.connect()) {
      var answer = client.send(again(1_000, "body")).read();
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.has("Retry-After: 1")).isTrue();
      assertThat(answer.body()).contains("CATALOG_CHANGED");
      assertThat(fixture.api.tries).hasValue(6);
    }
  }

  @Test
  void restart_inProcess_behavesTheSame() {
    try (var fixture = TestServer.start()) {
      var body = "body".getBytes(StandardCharsets.UTF_8);
      var request = new InProcessClient.Request("POST", "/again?n=3", Map.of(), body);
      assertThat(fixture.server.client().send(request).text()).isEqualTo("body");
    }
  }
}
