// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Work without a request of its own: its answer becomes a message, or is compared with another. */
final class DetachedExchange extends Exchange {

  private final Background.Answer answer;
  private final int maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);
  private boolean told;

  DetachedExchange(Dispatcher dispatcher, int maxBytes, Background.Answer answer) {
    super(dispatcher);
    this.maxBytes = maxBytes;
    this.answer = answer;
  }

  @Override
  public void fail(Throwable failure) {
    tell(() -> answer.failed(Problems.report(failure)));
    markEnded();
  }

  /** To the first outcome alone: a deadline may meet an answer. */
  private void tell(Runnable outcome) {
    synchronized (this) {
      if (told) {
        return;
      }
      told = true;
    }
    outcome.run();
  }

  @Override
  boolean write(byte[] source, int length, boolean last) {
    if (bytes.size() + length > maxBytes) {
      fail(
          new EvitaException(
              ErrorCode.ANSWER_TOO_LARGE,
              "The answer is larger than "
                  + maxBytes
                  + " bytes, the limit of max-message-bytes; ask for less"));
      return true;
    }
    bytes.write(source, 0, length);
    if (last) {
      tell(() -> answer.completed(bytes.toByteArray()));
      markEnded();
    }
    return true;
  }

  @Override
  void abort() {
    var reason = expired();
    fail(Dispatcher.failure(reason == null ? ErrorCode.CANCELLED : reason));
  }

  @Override
  boolean committed() {
    return bytes.size() > 0;
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

  /** Whoever opened it knows what to begin with. */
  @Override
  boolean arriveAgain() {
    fail(
        new EvitaException(
            ErrorCode.CATALOG_CHANGED, "The schema has changed meanwhile; try again"));
    return true;
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
