// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import org.jspecify.annotations.Nullable;

/**
 * The response to a request, or the message that a background execution produces.
 *
 * <p>Used by one thread at a time. It is ended exactly once: by {@link #send}, {@link Work#fail},
 * or {@link #respond} and then {@link ResponseBody#end} or {@link ResponseBody#abort}.
 */
public final class Response {

  private static final int UNAVAILABLE = 503;
  private static final String RETRY_AFTER_SECONDS = "1";

  private final Work work;
  private final ResponseChannel channel;
  private @Nullable ResponseBody body;

  public Response(Work work, ResponseChannel channel) {
    this.work = work;
    this.channel = channel;
  }

  /** The work that produces the response. */
  public Work work() {
    return work;
  }

  /** Sets a header, before the first byte is sent; null removes it. */
  public void header(String name, @Nullable String value) {
    channel.header(name, value);
  }

  /** Adds a line of a header that may have several, such as {@code Set-Cookie}; see above. */
  public void addHeader(String name, String value) {
    channel.addHeader(name, value);
  }

  /**
   * Starts a response whose body is written piece by piece.
   *
   * @param status for 503, the response gets {@code Retry-After}: the same request may well succeed
   *     a little later
   */
  public ResponseBody respond(int status, String contentType) {
    channel.start(status, contentType);
    if (status == UNAVAILABLE) {
      channel.header("Retry-After", RETRY_AFTER_SECONDS);
    }
    var open = body;
    if (open == null) {
      open = new ResponseBody(work, channel);
      body = open;
    } else {
      open.rewind(0);
    }
    return open;
  }

  /** Sends a complete response. */
  public void send(int status, String contentType, byte[] bytes) {
    var response = respond(status, contentType);
    response.json().raw(bytes);
    response.end();
  }

  /** Whether a part of the response was sent, so that no other response is possible. */
  public boolean hasLeft() {
    return channel.committed();
  }

  /** Aborts the response, so that the client cannot take a part for the whole. */
  public void abort() {
    if (body == null) {
      channel.abort();
    } else {
      body.abort();
    }
  }

  /** The body that is being written; null before. */
  public @Nullable ResponseBody body() {
    return body;
  }

  /** The channel has sent its queue. Called on its thread. */
  public void drained() {
    if (body != null) {
      body.drained();
    }
  }
}
