// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.push.PushChannel;
import dev.evita.externalapi.core.push.WebSocket;
import dev.evita.externalapi.core.push.WebSocketListener;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Connections that stay open, without a database.
 *
 * <ul>
 *   <li>{@code /socket} echoes texts; {@code close N} closes with that code; binary closes with
 *       1003;
 *   <li>{@code /events} says {@code hello}, then what {@link #streams} are offered.
 * </ul>
 */
public final class OpenApi implements ApiProvider, Api {

  final BlockingQueue<WebSocket> sockets = new LinkedBlockingQueue<>();
  final BlockingQueue<EventStream> streams = new LinkedBlockingQueue<>();
  final Semaphore closed = new Semaphore(0);

  @Override
  public String name() {
    return "open";
  }

  @Override
  public Api api(ApiContext context) {
    return this;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.exact("/socket", "GET"), Route.exact("/events", "GET"));
  }

  static PushChannel.Message text(String text) {
    return () -> text.getBytes(StandardCharsets.UTF_8);
  }

  static PushChannel.Message event(String data) {
    return () -> EventStream.event("next", null, data.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void handle(Exchange exchange) {
    if (exchange.request().path().equals("/events")) {
      var stream = exchange.events();
      stream.whenClosed(closed::release);
      stream.offer(event("hello"));
      streams.add(stream);
      return;
    }
    exchange.upgrade(
        Set.of("echo"),
        socket -> {
          sockets.add(socket);
          return new Echo(socket);
        });
  }

  private final class Echo implements WebSocketListener {
    private final WebSocket socket;

    Echo(WebSocket socket) {
      this.socket = socket;
    }

    @Override
    public void message(String message) {
      if (message.startsWith("close ")) {
        socket.close(Integer.parseInt(message.substring(6)), "as you wish");
      } else {
        socket.offer(text(message));
      }
    }

    @Override
    public void binary() {
      socket.close(1003, "text alone");
    }

    @Override
    public void drain() {
      socket.close(WebSocket.GOING_AWAY, "The server stops");
    }

    @Override
    public void closed() {
      closed.release();
    }
  }
}
