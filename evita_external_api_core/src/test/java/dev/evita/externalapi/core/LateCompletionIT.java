// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * Of some 100,000 answers that workers wrote over HTTP/2, Undertow forgot to end one: its {@code
 * flush} answered true, as the connection's thread had just sent the last frame, but had looked
 * before that for whether to end the response. Such a request ran until its deadline, which closed
 * the connection, or held up the stop of the server.
 */
@Timeout(60)
final class LateCompletionIT {

  /** Does by intent what happens so seldom. */
  private static final class Late extends AbstractStreamSinkConduit<StreamSinkConduit> {

    private boolean terminated;
    private boolean asked;

    Late(StreamSinkConduit next) {
      super(next);
    }

    @Override
    public void terminateWrites() {
      terminated = true;
    }

    @Override
    public boolean flush() throws IOException {
      if (!terminated) {
        return super.flush();
      }
      if (!asked) {
        asked = true;
        return true;
      }
      next.terminateWrites();
      return next.flush();
    }
  }

  @Test
  void flush_thatEndsNothing_isRepeated() {
    try (var fixture = TestServer.start();
        var undertow = new BareUndertow(exchange -> handle(fixture, exchange))) {
      try (var client = undertow.connect()) {
        for (int i = 0; i < 5; i++) {
          var request = "POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody";
          assertThat(client.send(request).read().status()).isEqualTo(200);
        }
      }
      while (fixture.server.dispatcher().running() > 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  /** Without what reads HTTP/1.1 for us, it is handled as HTTP/2 is. */
  private static void handle(TestServer fixture, HttpServerExchange exchange) {
    exchange.addResponseWrapper((factory, wrapped) -> new Late(factory.create()));
    exchange.dispatch(
        SameThreadExecutor.INSTANCE,
        new UndertowExchange(fixture.connection(), exchange, null, null, null, System.nanoTime()));
  }
}
