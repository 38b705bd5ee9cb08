// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.exchange.StreamingApi;
import dev.evita.externalapi.core.exchange.StreamingExchange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls that are streams, of as little as shows what the transport does. */
final class CallApi implements ApiProvider, StreamingApi {

  static final String MEDIA_TYPE = "application/call";

  static final int ANSWER = 100_000;

  private static final int PIECE = 16 << 10;

  final AtomicInteger open = new AtomicInteger();
  final Semaphore opened = new Semaphore(0);
  final Semaphore broken = new Semaphore(0);

  @Override
  public String name() {
    return "calls";
  }

  @Override
  public Api api(ApiContext context) {
    return this;
  }

  @Override
  public List<Route> routes() {
    return List.of();
  }

  @Override
  public void handle(Exchange exchange) {
    throw new IllegalStateException("has no routes");
  }

  @Override
  public List<Dialect> dialects() {
    return List.of(new Dialect(MEDIA_TYPE, false));
  }

  @Override
  public void open(StreamingExchange call) {
    open.incrementAndGet();
    call.listen(new Heard(call));
    switch (call.path()) {
      case "/read" -> call.resume();
      case "/answer" -> {
        call.write(new byte[ANSWER], ANSWER);
        call.end(List.of());
        call.flush();
      }
      case "/endless" -> writeOn(call);
      case "/refused" -> {
        call.end(List.of());
        call.flush();
      }
      case "/reset" -> call.reset();
      default -> {
        // silent
      }
    }
    opened.release();
  }

  private static void writeOn(StreamingExchange call) {
    while (call.writable()) {
      call.write(new byte[PIECE], PIECE);
      call.flush();
    }
  }

  /** Reads what it is let to, and answers nothing at the end. */
  private final class Heard implements StreamingExchange.Listener {

    private final StreamingExchange call;

    private Heard(StreamingExchange call) {
      this.call = call;
    }

    @Override
    public void received(ByteBuffer bytes) {
      bytes.position(bytes.limit());
    }

    @Override
    public void receivedAll() {
      open.decrementAndGet();
      call.end(List.of());
      call.flush();
    }

    @Override
    public void writable() {
      if (call.path().equals("/endless")) {
        writeOn(call);
      }
    }

    @Override
    public void broken() {
      open.decrementAndGet();
      broken.release();
    }
  }
}
