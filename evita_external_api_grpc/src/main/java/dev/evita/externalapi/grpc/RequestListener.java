// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Background;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for the one request of a call, then runs the method that its path has by then. */
final class RequestListener extends ServerCall.Listener<byte[]> {

  private final ServerCall<byte[], byte[]> call;
  private final String path;
  private final Background background;
  private final Finder finder;
  private byte @Nullable [] request;
  private @Nullable Reply reply;
  private boolean refused;

  /** Knows the methods of the newest epoch. */
  interface Finder {

    /**
     * Looks for a method.
     *
     * @param found takes it, or null where there is none (any more); now or later, on any thread
     */
    void find(String path, Consumer<@Nullable Method> found, Consumer<EvitaException> failed);
  }

  RequestListener(
      ServerCall<byte[], byte[]> call, String path, Background background, Finder finder) {
    this.call = call;
    this.path = path;
    this.background = background;
    this.finder = finder;
    call.request(2); // the second would be one too many, of which to tell
  }

  @Override
  public void onMessage(byte[] message) {
    if (request != null) {
      refuse("The request has more than one message");
    }
    request = message;
  }

  private void refuse(String why) {
    if (!refused) {
      refused = true;
      call.close(Status.INVALID_ARGUMENT.withDescription(why), new Metadata());
    }
  }

  @Override
  public void onHalfClose() {
    if (request == null) {
      refuse("The request has no message");
    }
    if (!refused) {
      reply = new Reply(call, background, this::begin);
      begin();
    }
  }

  /** Also again, after the schema has changed. */
  private void begin() {
    finder.find(path, this::run, problem -> reply().fail(problem));
  }

  private Reply reply() {
    var begun = reply;
    if (begun == null) {
      throw new IllegalStateException("nothing has begun");
    }
    return begun;
  }

  private void run(@Nullable Method method) {
    var bytes = request;
    if (method == null || bytes == null) {
      reply()
          .exchange()
          .fail(
              new EvitaException(
                  ErrorCode.UNSUPPORTED_OPERATION, "Method not found (any more): " + path));
      return;
    }
    try {
      method.run(bytes, reply());
    } catch (RuntimeException e) {
      reply().fail(e);
    }
  }

  /** Whether what the method has written may be kept, though it is not answered yet. */
  boolean committing() {
    return reply != null && reply.exchange().committing();
  }

  @Override
  public void onReady() {
    if (reply != null) {
      reply.ready();
    }
  }

  @Override
  public void onCancel() {
    if (reply != null) {
      reply.cancel();
    }
  }
}
