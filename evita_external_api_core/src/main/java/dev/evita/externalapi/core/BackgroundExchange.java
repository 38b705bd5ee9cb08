// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Work that no HTTP request of its own has asked for: whoever opened it takes what it answers. */
abstract sealed class BackgroundExchange extends Exchange permits DetachedExchange, CallExchange {

  private boolean told;

  BackgroundExchange(Dispatcher dispatcher, long deadlineNanos) {
    super(dispatcher, deadlineNanos);
  }

  /** To the first outcome alone, as a deadline may meet an answer. Answers whether this was it. */
  final boolean tell(Runnable outcome) {
    synchronized (this) {
      if (told) {
        return false;
      }
      told = true;
    }
    outcome.run();
    markEnded();
    return true;
  }

  @Override
  void abort() {
    var reason = expired();
    fail(Dispatcher.failure(reason == null ? ErrorCode.CANCELLED : reason));
  }

  @Override
  void awaitDrain() {
    throw new IllegalStateException("an answer in memory is always drained");
  }

  @Override
  void onThread(Runnable task) {
    throw new IllegalStateException("there is no connection");
  }

  @Override
  void afterwards(Duration delay, Runnable task) {
    throw new IllegalStateException("there is no connection");
  }

  @Override
  void watchClient() {}

  @Override
  Outlets outlets() {
    throw new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        "An event stream within another connection is not possible");
  }

  @Override
  public boolean wantsWebSocket() {
    return false;
  }

  @Override
  public void upgrade(Set<String> protocols, Function<WebSocket, WebSocketListener> opened) {
    throw new IllegalStateException("there is no connection");
  }

  @Override
  public String method() {
    return "POST";
  }

  @Override
  public String path() {
    return "";
  }

  @Override
  public String query() {
    return "";
  }

  @Override
  public @Nullable String queryParameter(String name) {
    return null;
  }

  @Override
  public @Nullable String header(String name) {
    return null;
  }

  @Override
  public RequestBody body() {
    return RequestBody.EMPTY;
  }

  @Override
  public void responseHeader(String name, @Nullable String value) {}

  @Override
  void start(int status, String contentType) {}
}
