// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An exchange without a socket. The answer is collected; it never has to wait for a reader. */
final class InProcessExchange extends Exchange {

  private final Consumer<Exchange> again;
  private final InProcessClient.Request request;
  private final URI target;
  private final Map<String, String> requestHeaders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, String> responseHeaders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<InProcessClient.Response> response = new CompletableFuture<>();
  private int status;

  /**
   * @param again takes this exchange once more
   */
  InProcessExchange(
      Dispatcher dispatcher, InProcessClient.Request request, Consumer<Exchange> again) {
    super(dispatcher, dispatcher.deadline(dispatcher.now()));
    this.again = again;
    this.request = request;
    this.target = URI.create(request.target());
    requestHeaders.putAll(request.headers());
  }

  CompletableFuture<InProcessClient.Response> response() {
    return response;
  }

  @Override
  public String method() {
    return request.method().toUpperCase(Locale.ROOT);
  }

  @Override
  public String path() {
    return target.getPath();
  }

  @Override
  public String query() {
    return Objects.requireNonNullElse(target.getRawQuery(), "");
  }

  @Override
  public @Nullable String queryParameter(String name) {
    return parameters().get(name);
  }

  private Map<String, String> parameters() {
    var parameters = new LinkedHashMap<String, String>();
    var query = target.getRawQuery();
    if (query != null) {
      for (var pair : query.split("&", -1)) {
        var equals = pair.indexOf('=');
        var name = equals < 0 ? pair : pair.substring(0, equals);
        var value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters.putIfAbsent(
            URLDecoder.decode(name, StandardCharsets.UTF_8),
            URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }

  @Override
  public @Nullable String header(String name) {
    return requestHeaders.get(name);
  }

  @Override
  public RequestBody body() {
    return new RequestBody(request.body(), request.body().length);
  }

  @Override
  public void responseHeader(String name, @Nullable String value) {
    if (value == null) {
      responseHeaders.remove(name);
    } else {
      responseHeaders.put(name, value);
    }
  }

  @Override
  boolean arriveAgain() {
    again.accept(this);
    return true;
  }

  @Override
  void start(int newStatus, String contentType) {
    status = newStatus;
    responseHeader("Content-Type", contentType);
  }

  @Override
  boolean committed() {
    return bytes.size() > 0;
  }

  @Override
  boolean write(byte[] source, int length, boolean last) {
    bytes.write(source, 0, length);
    if (last) {
      response.complete(
          new InProcessClient.Response(status, Map.copyOf(responseHeaders), bytes.toByteArray()));
      markEnded();
    }
    return true;
  }

  @Override
  void awaitDrain() {
    throw new IllegalStateException("an answer in memory is always drained");
  }

  @Override
  public boolean wantsWebSocket() {
    return false;
  }

  @Override
  public void upgrade(Set<String> protocols, Function<WebSocket, WebSocketListener> opened) {
    throw noConnection();
  }

  private static EvitaException noConnection() {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        "A client in the process has no connection to keep open; connect to the port");
  }

  @Override
  Outlets outlets() {
    throw noConnection();
  }

  @Override
  void onThread(Runnable task) {
    throw noConnection();
  }

  @Override
  void afterwards(Duration delay, Runnable task) {
    throw noConnection();
  }

  @Override
  void watchClient() {
    throw noConnection();
  }

  @Override
  void abort() {
    response.completeExceptionally(
        new java.io.EOFException("The answer broke off after " + bytes.size() + " bytes"));
    markEnded();
  }
}
