// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.BackgroundWork;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for the one request of a call, then runs the method that its path has by then. */
public final class RequestListener extends ServerCall.Listener<byte[]> {

  private final ServerCall<byte[], byte[]> call;
  private final String path;
  private final @Nullable UnaryRequestMethod first;
  private final BackgroundWork background;
  private final Finder finder;
  private byte @Nullable [] request;
  private @Nullable CallResponse reply;
  private boolean refused;

  /** Knows the methods of the newest epoch. */
  public interface Finder {

    /** Whether the epoch that made this is still the newest. */
    default boolean isNewest() {
      return false;
    }

    /**
     * Looks for a method.
     *
     * @param found takes it, or null where there is none (any more); now or later, on any thread
     */
    void find(
        String path, Consumer<@Nullable UnaryRequestMethod> found, Consumer<EvitaException> failed);
  }

  /**
   * A listener that asks for the request.
   *
   * @param first the method of the epoch that was the newest when the call began, which is run as
   *     long as it is the newest; null to look for it in any case
   */
  public RequestListener(
      ServerCall<byte[], byte[]> call,
      String path,
      @Nullable UnaryRequestMethod first,
      BackgroundWork background,
      Finder finder) {
    this.call = call;
    this.path = path;
    this.first = first;
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
      reply = new CallResponse(call, background, this::begin);
      begin();
    }
  }

  /** Also again, after the schema has changed. */
  private void begin() {
    if (first != null && finder.isNewest()) {
      run(first);
    } else {
      finder.find(path, this::run, problem -> reply().fail(problem));
    }
  }

  private CallResponse reply() {
    var begun = reply;
    if (begun == null) {
      throw new IllegalStateException("nothing has begun");
    }
    return begun;
  }

  private void run(@Nullable UnaryRequestMethod method) {
    var bytes = request;
    if (method == null || bytes == null) {
      reply()
          .work()
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
    return reply != null && reply.work().committing();
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
