// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of {@code graphql-transport-ws} that shows each message. */
public final class LiveClient implements WebSocket.Listener, AutoCloseable {

  static final String ACK = "{\"type\":\"connection_ack\"}";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long PATIENCE_SECONDS = 30;

  public final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
  private final StringBuilder part = new StringBuilder();

  private LiveClient() {}

  public static LiveClient connect(int port, List<String> protocols) {
    var client = new LiveClient();
    var builder = HTTP.newWebSocketBuilder();
    if (!protocols.isEmpty()) {
      var others = protocols.subList(1, protocols.size()).toArray(new String[0]);
      builder.subprotocols(protocols.getFirst(), others);
    }
    client.socket.complete(
        builder.buildAsync(URI.create("ws://127.0.0.1:" + port + "/graphql"), client).join());
    return client;
  }

  public LiveClient send(String message) {
    socket.join().sendText(message, true).join();
    return this;
  }

  public LiveClient init() throws InterruptedException {
    send("{\"type\":\"connection_init\"}");
    if (!ACK.equals(next())) {
      throw new AssertionError("no ack");
    }
    return this;
  }

  public LiveClient subscribe(String id, String document) {
    return send(
        "{\"id\":\"%s\",\"type\":\"subscribe\",\"payload\":{\"query\":%s}}"
            .formatted(id, Client.quoted(document)));
  }

  public String next() throws InterruptedException {
    var message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no message came; closed: " + code);
    }
    return message;
  }

  public int closeCode() throws Exception {
    return code.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    part.append(data);
    if (last) {
      messages.add(part.toString());
      part.setLength(0);
    }
    from.request(1);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    code.complete(status);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    code.completeExceptionally(failure);
  }

  /** Closes the TCP connection without a close frame. */
  @Override
  public void close() {
    socket.join().abort();
  }
}
