// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.SameThreadExecutor;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where another thread than the connection's own ends an exchange of HTTP/1, Undertow lets the
 * connection's spin until that is done. Where both have one core, it spun for the rest of its time
 * slice, and an insert cost twice as much.
 */
@Timeout(60)
final class ExchangeEndIT {

  private final DefaultByteBufferPool buffers = new DefaultByteBufferPool(true, 1 << 14);
  private final BlockingQueue<Boolean> endedOnIoThread = new LinkedBlockingQueue<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody",
        "POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody",
        "GET /rows?n=10000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      })
  void answer_ofAnyThread_endsOnTheConnectionsThread(String request) throws InterruptedException {
    try (var fixture = TestServer.start();
        var undertow = new BareUndertow(exchange -> handle(fixture, exchange));
        var client = undertow.connect()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.send(request).read().status()).isEqualTo(200);
        assertThat(endedOnIoThread.poll(10, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @AfterEach
  void close() {
    buffers.close();
  }

  private void handle(TestServer fixture, HttpServerExchange exchange) {
    exchange.addExchangeCompleteListener((ended, next) -> {
      endedOnIoThread.add(ended.isInIoThread());
      next.proceed();
    });
    var connection = ((HttpServerConnection) exchange.getConnection()).getChannel();
    var bursts = FrameBursts.on(connection, buffers, false);
    var limits = fixture.server.dispatcher().limits();
    var wire = new RequestWire(connection, bursts, limits, fixture.connection());
    exchange.dispatch(
        SameThreadExecutor.INSTANCE,
        new UndertowExchange(wire.client(), exchange, wire, null, null, System.nanoTime()));
  }
}
