// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2 clients with small flow-control windows. */
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

  /**
   * The rest of an event must not wait for the next event or heartbeat; also if the largest frame
   * (16 KiB) and the window each leave a part of our buffer (17 KiB) unsent.
   */
  @ParameterizedTest
  @CsvSource({"100, 500", "16384, 17000", "16500, 17000", "16600, 17300", "40000, 60000"})
  void window_smallerThanAnEvent_itsRestFollowsWithTheWindow(int window, int length)
      throws Exception {
    var data = "x".repeat(length);
    var all = ":\n\n" + HELLO + event(data);
    try (var server = start();
        var client = RawHttp2.connect(server.port(), window)) {
      client.get("/events");
      api.streams.take().offer(OpenApi.event(data));
      assertThat(client.read(window)).isEqualTo(all.substring(0, window));
      assertThat(client.allow(200).read(window + 200)).isEqualTo(all.substring(0, window + 200));
      assertThat(client.allow(length).read(all.length())).isEqualTo(all);
    }
  }

  @Test
  void windows_allSizes_loseNothing() throws Exception {
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
