// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.work.Dispatcher;
import dev.evita.externalapi.core.work.Outcome;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.core.work.ResponseChannel;
import dev.evita.externalapi.core.work.Work;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Collects a result in memory, to be sent as a message or compared: only its body is used. */
final class MemoryChannel implements ResponseChannel, Work.Owner {

  private final BackgroundWork.ResultListener listener;
  private final int maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);
  private final Outcome outcome = new Outcome();
  private final Response response;

  MemoryChannel(Dispatcher dispatcher, int maxBytes, BackgroundWork.ResultListener listener) {
    this.maxBytes = maxBytes;
    this.listener = listener;
    var work = new Work(dispatcher, this, null, dispatcher.deadline(dispatcher.now()));
    this.response = new Response(work, this);
  }

  Response response() {
    return response;
  }

  private void end(Runnable task) {
    var unused = outcome.settle(response.work(), task);
  }

  @Override
  public void fail(Throwable failure) {
    end(() -> listener.failed(response.work().report(failure)));
  }

  @Override
  public void timeOut() {
    abort();
  }

  @Override
  public void abort() {
    fail(Outcome.failure(response.work()));
  }

  @Override
  public @Nullable ResponseBody body() {
    return response.body();
  }

  /** A message has no status. */
  @Override
  public void start(int status, String contentType) {}

  /** A message has no headers. */
  @Override
  public void header(String name, @Nullable String value) {}

  @Override
  public void addHeader(String name, String value) {}

  @Override
  public boolean write(byte[] source, int length, boolean last) {
    if (bytes.size() + length > maxBytes) {
      fail(
          new EvitaException(
              HttpErrorCode.ANSWER_TOO_LARGE,
              "The message is larger than "
                  + maxBytes
                  + " bytes, the limit of max-message-bytes; request less data"));
      return true;
    }
    bytes.write(source, 0, length);
    if (last) {
      end(() -> listener.completed(bytes.toByteArray()));
    }
    return true;
  }

  @Override
  public void awaitDrain() {
    throw new IllegalStateException("a response in memory is always drained");
  }

  @Override
  public boolean committed() {
    return bytes.size() > 0;
  }

  /** The caller retries by its own means. */
  @Override
  public boolean again() {
    fail(
        new EvitaException(
            ErrorCode.CATALOG_CHANGED, "The schema has changed during the request; retry it"));
    return true;
  }
}
