// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.evita.candidates.ceiling.CeilingServer;
import dev.evita.candidates.evita.EchoEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.grpc.GrpcProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Guards speed by what does not depend on the machine: how many bytes the whole server allocates
 * per request in steady state, within 5 % of what was recorded. It runs without escape analysis
 * (see the pom), so that all is counted, whatever the JIT would have elided, on any machine.
 *
 * <p>Who changes a figure on purpose changes the record.
 */
@Tag("benchmarks")
final class AllocationIT {

  private static final int WARM_UP = 20_000;
  private static final int MEASURED = 5_000;
  private static final int ATTEMPTS = 20;
  private static final double TOLERANCE = 0.05;

  private static final long ECHO = 3_552;
  private static final long BY_PK = 7_088;
  private static final long LIST = 40_646;
  private static final long REST_BY_PK = 8_617;
  private static final long HANDLER = 8_150;
  private static final long GRPC_ECHO = 3_776;
  private static final long GRPC_BY_KEY = 8_575;
  private static final long GRPC_ROW = 603;

  @Test
  void echo_inSteadyState_allocatesLittle() throws IOException {
    try (var server = ExternalApiServer.over(new EchoEngine()).start();
        var client = new KeepAliveClient(server.port(), PairedComparison.ECHO)) {
      requireRecorded(ECHO, client::send);
      assertThat(client.text()).isEqualTo("{\"data\":{\"echo\":{\"message\":\"hello\"}}}");
    }
  }

  @Test
  void byPk_inSteadyState_allocatesLittle() throws IOException {
    try (var shop = new EmbeddedShop(0);
        var client = new KeepAliveClient(shop.port(), EmbeddedShop.BY_PK)) {
      requireRecorded(BY_PK, client::send);
      assertThat(client.text()).contains("\"code\":\"P-4711\"");
    }
  }

  @Test
  void list_inSteadyState_allocatesLittle() throws IOException {
    try (var shop = new EmbeddedShop(0);
        var client = new KeepAliveClient(shop.port(), EmbeddedShop.LIST)) {
      requireRecorded(LIST, client::send);
      assertThat(client.text()).contains("\"prices\":[{\"currency\":\"EUR\"");
    }
  }

  @Test
  void restByPk_inSteadyState_allocatesLittle() throws IOException {
    try (var shop = new EmbeddedShop(0);
        var client = new KeepAliveClient(shop.port(), EmbeddedShop.REST_BY_PK)) {
      requireRecorded(REST_BY_PK, client::send);
      assertThat(client.text()).isEqualTo("[" + CeilingServer.ROW + "]");
    }
  }

  @Test
  void sqlHandler_inSteadyState_allocatesLittle() throws IOException {
    try (var server = HandlerServer.start();
        var client = new KeepAliveClient(server.port(), HttpProbe.get("/users/u4711"))) {
      requireRecorded(HANDLER, client::send);
      assertThat(client.text()).isEqualTo("Hello, <b>Name 4711</b>!");
    }
  }

  @Test
  void grpcEcho_inSteadyState_allocatesLittle() throws IOException {
    var provider = GrpcProvider.direct(new GrpcRows());
    try (var server = ExternalApiServer.over(new EchoEngine()).provider(provider).start();
        var client = new GrpcClient(server.port(), GrpcRows.ECHO_HELLO)) {
      requireRecorded(GRPC_ECHO, client::send);
      assertThat(client.send()).isEqualTo(GrpcRows.ECHO_HELLO.body().length());
    }
  }

  /** A request that is parsed or compiled again takes twice as much. */
  @Test
  void grpcByKey_ofAShapeThatWasSeen_isNotParsedAgain() throws IOException {
    var ask = ShopContestant.EVITA_GRPC.asks().get(ShopRequest.BY_KEY);
    assertThat(ask.varies()).isTrue();
    try (var shop = new EmbeddedShop(0);
        var client = new GrpcClient(shop.port(), ask)) {
      requireRecorded(GRPC_BY_KEY, client::send);
      assertThat(client.send()).isGreaterThan(30);
    }
  }

  /** The constant part is small compared with the rows; the service creates each row anew. */
  @Test
  void grpcRows_inSteadyState_allocateLittleEach() throws IOException {
    var provider = GrpcProvider.direct(new GrpcRows());
    try (var server = ExternalApiServer.over(new EchoEngine()).provider(provider).start();
        var client = new GrpcClient(server.port(), GrpcRows.LIST_10_000)) {
      requireRecorded(GRPC_ROW * 10_000, client::send, 300, 50);
    }
  }

  private interface Client {
    int send() throws IOException;
  }

  private static void requireRecorded(long bytes, Client client) throws IOException {
    requireRecorded(bytes, client, WARM_UP, MEASURED);
  }

  /** A busy machine compiles late: so it is asked again until it comes to rest, or time is up. */
  private static void requireRecorded(long bytes, Client client, int warmUp, int measured)
      throws IOException {
    send(client, warmUp);
    var least = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS && least > bytes * (1 + TOLERANCE); i++) {
      least = Math.min(least, bytesPerRequest(client, measured));
    }
    assertThat((double) least).isCloseTo(bytes, within(TOLERANCE * bytes));
  }

  private static long bytesPerRequest(Client client, int measured) throws IOException {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var before = threads.getTotalThreadAllocatedBytes();
    send(client, measured);
    return (threads.getTotalThreadAllocatedBytes() - before) / measured;
  }

  private static void send(Client client, int requests) throws IOException {
    for (int i = 0; i < requests; i++) {
      client.send();
    }
  }
}
