// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of HTTP/2 that let the server send little at a time. */
@Timeout(60)
final class FlowControlIT {

  private static final String HELLO = "event: next\ndata: hello\n\n";
  private static final int ROUNDS = 300;

  private final OpenApi api = new OpenApi();

  private ExternalApiServer start() {
    return ExternalApiServer.over(new EmptyEngine())
        .options(ServerOptions.builder().ioThreads(1).workerThreads(2).build())
        .provider(api)
        .withoutDiscovery()
        .start();
  }

  private static String event(String data) {
    return "event: next\ndata: " + data + "\n\n";
  }

  /** The rest of it does not wait for what is said next, be it the heartbeat. */
  @Test
  void window_smallerThanAnEvent_itsRestFollowsWithTheWindow() throws Exception {
    var data = "x".repeat(500);
    var all = ":\n\n" + HELLO + event(data);
    try (var server = start();
        var client = RawHttp2.connect(server.port(), 100)) {
      client.get("/events");
      api.streams.take().offer(OpenApi.event(data));
      assertThat(client.read(100)).isEqualTo(all.substring(0, 100));
      assertThat(client.allow(200).read(300)).isEqualTo(all.substring(0, 300));
      assertThat(client.allow(10_000).read(all.length())).isEqualTo(all);
    }
  }

  @Test
  void windows_ofAllSizes_loseNothing() throws Exception {
    var seed = System.nanoTime();
    var random = new Random(seed);
    try (var server = start();
        var client = RawHttp2.connect(server.port(), random.nextInt(20_000))) {
      client.get("/events").allow(1 + random.nextInt(1_000));
      var all = new StringBuilder(":\n\n" + HELLO);
      var stream = api.streams.take();
      for (int i = 0; i < ROUNDS; i++) {
        var data = i + "-" + "x".repeat(random.nextInt(random.nextBoolean() ? 40_000 : 40));
        all.append(event(data));
        stream.offer(OpenApi.event(data));
      }
      for (int read = 0; read < all.length(); ) {
        var more = 1 + random.nextInt(random.nextBoolean() ? 50_000 : 50);
        read = Math.min(all.length(), read + more);
        var came = client.allow(more).read(read);
        assertThat(came).as("seed %d", seed).startsWith(all.substring(0, read));
      }
    }
  }
}
