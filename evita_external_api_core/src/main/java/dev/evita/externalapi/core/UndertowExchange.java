// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/**
 * An exchange over a socket.
 *
 * <pre>
 *   run: head is parsed --> READING (body; waits for the socket without a thread)
 *        --> HANDLING (the server's; this I/O thread or a worker)
 *        --> WRITING (what the socket does not take is kept in {@code unsent}) --> ended
 * </pre>
 *
 * <p>It runs as a task that Undertow dispatched to the same I/O thread: so Undertow never ends the
 * exchange by itself, and whether an answer comes at once or later makes no difference.
 */
final class UndertowExchange extends Exchange implements Runnable, ExchangeCompletionListener {

  private static final int SCRATCH = 16 << 10;
  private static final ThreadLocal<byte[]> SCRATCHES =
      ThreadLocal.withInitial(() -> new byte[SCRATCH]);

  private final ExternalApiServer server;
  private final HttpServerExchange exchange;
  private RequestBody body = RequestBody.EMPTY;
  private @Nullable StreamSinkChannel sink;
  private @Nullable ByteBuffer unsent;
  private boolean last;
  private volatile boolean committed;

  UndertowExchange(ExternalApiServer server, HttpServerExchange exchange) {
    super(server.dispatcher());
    this.server = server;
    this.exchange = exchange;
  }

  // ---- the request ----

  @Override
  public void run() {
    dispatcher().begun();
    exchange.addExchangeCompleteListener(this);
    try {
      requireShortUrl();
      if (exchange.isRequestComplete()) {
        server.accept(this);
      } else {
        readBody();
      }
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  private void requireShortUrl() {
    var length = exchange.getRequestURI().length() + exchange.getQueryString().length();
    if (length > limits().maxUrlBytes()) {
      exchange.setPersistent(false);
      throw new EvitaException(
          ErrorCode.URL_TOO_LONG,
          "The URL has "
              + length
              + " bytes; at most "
              + limits().maxUrlBytes()
              + " are allowed (max-url-bytes)");
    }
  }

  private void readBody() throws IOException {
    var announced = exchange.getRequestContentLength();
    if (announced > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    var channel = exchange.getRequestChannel();
    if (channel == null) {
      server.accept(this);
      return;
    }
    var scratch = SCRATCHES.get();
    var buffer = ByteBuffer.wrap(scratch);
    if (read(channel, buffer)) {
      complete(buffer);
      return;
    }
    // The rest comes later: this thread's scratch is needed by others until then.
    var grown = ByteBuffer.wrap(Arrays.copyOf(scratch, Math.max(scratch.length, (int) announced)));
    grown.position(buffer.position());
    awaitBody(channel, buffer.hasRemaining() ? grown : grow(grown));
  }

  /** Reads what is there. Answers whether that was all. */
  private static boolean read(StreamSourceChannel channel, ByteBuffer buffer) throws IOException {
    while (true) {
      var count = channel.read(buffer);
      if (count == -1) {
        return true;
      }
      if (count == 0) {
        return false;
      }
    }
  }

  private void awaitBody(StreamSourceChannel channel, ByteBuffer first) {
    dispatcher().watch(this);
    var holder = new ByteBuffer[] {first};
    channel
        .getReadSetter()
        .set(ready -> {
          try {
            if (readOn(ready, holder)) {
              ready.suspendReads();
              complete(holder[0]);
            }
          } catch (Throwable failure) {
            ready.suspendReads();
            fail(failure);
          }
        });
    channel.resumeReads();
  }

  private boolean readOn(StreamSourceChannel channel, ByteBuffer[] holder) throws IOException {
    while (!read(channel, holder[0])) {
      if (holder[0].hasRemaining()) {
        return false;
      }
      holder[0] = grow(holder[0]);
    }
    return true;
  }

  private ByteBuffer grow(ByteBuffer full) {
    if (full.position() > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    var larger = (int) Math.min(full.position() * 2L, limits().maxBodyBytes() + 1L);
    return ByteBuffer.allocate(larger).put(full.flip());
  }

  private void complete(ByteBuffer buffer) {
    if (buffer.position() > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    body = new RequestBody(bytes(buffer), buffer.position());
    server.accept(this);
  }

  @SuppressWarnings("ByteBufferBackingArray") // all of ours are wrapped or allocated from offset 0
  private static byte[] bytes(ByteBuffer buffer) {
    return buffer.array();
  }

  private EvitaException tooLarge() {
    // The rest of the body stays unread, so the connection cannot carry another request.
    exchange.setPersistent(false);
    return new EvitaException(
        ErrorCode.BODY_TOO_LARGE,
        "The body is too large; at most "
            + limits().maxBodyBytes()
            + " bytes are allowed (max-body-bytes)");
  }

  @Override
  public String method() {
    return exchange.getRequestMethod().toString();
  }

  @Override
  public String path() {
    return exchange.getRequestPath();
  }

  @Override
  public @Nullable String queryParameter(String name) {
    var values = exchange.getQueryParameters().get(name);
    return values == null ? null : values.peekFirst();
  }

  @Override
  public @Nullable String header(String name) {
    return exchange.getRequestHeaders().getFirst(name);
  }

  @Override
  public RequestBody body() {
    return body;
  }

  // ---- the answer ----

  @Override
  public void responseHeader(String name, String value) {
    exchange.getResponseHeaders().put(HttpString.tryFromString(name), value);
  }

  @Override
  void start(int status, String contentType) {
    exchange.setStatusCode(status);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, contentType);
  }

  @Override
  boolean committed() {
    return committed;
  }

  @Override
  boolean write(byte[] bytes, int length, boolean lastBytes) {
    if (ended()) {
      return true;
    }
    try {
      var channel = channel(length, lastBytes);
      last = lastBytes;
      return push(channel, ByteBuffer.wrap(bytes, 0, length), true);
    } catch (IOException e) {
      clientGone();
      return true;
    }
  }

  private StreamSinkChannel channel(int length, boolean complete) {
    var open = sink;
    if (open == null) {
      if (complete && exchange.getStatusCode() != 204) {
        exchange.setResponseContentLength(length);
      }
      committed = true;
      open = exchange.getResponseChannel();
      sink = open;
    }
    return open;
  }

  /** Writes as much as the socket takes. Answers whether that was all. */
  private boolean push(StreamSinkChannel channel, ByteBuffer bytes, boolean copyRest)
      throws IOException {
    while (bytes.hasRemaining()) {
      var count = last ? channel.writeFinal(bytes) : channel.write(bytes);
      if (count == 0) {
        unsent = copyRest ? copy(bytes) : bytes;
        return false;
      }
    }
    unsent = null;
    if (last) {
      channel.shutdownWrites();
    }
    return channel.flush();
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    var copy = ByteBuffer.allocate(bytes.remaining());
    copy.put(bytes);
    return copy.flip();
  }

  @Override
  void awaitDrain() {
    var channel = sink;
    if (channel == null || ended()) {
      return;
    }
    dispatcher().watch(this);
    channel.getWriteSetter().set(this::pushOn);
    channel.resumeWrites();
  }

  private void pushOn(StreamSinkChannel channel) {
    try {
      var rest = unsent;
      if (!push(channel, rest == null ? ByteBuffer.allocate(0) : rest, false)) {
        return;
      }
      channel.suspendWrites();
      var written = responseBody();
      if (!last && written != null) {
        written.drained();
      }
    } catch (IOException e) {
      clientGone();
    }
  }

  private void clientGone() {
    abort();
    expire(ErrorCode.CLIENT_GONE);
  }

  @Override
  void abort() {
    committed = true;
    IoUtils.safeClose(exchange.getConnection());
    markEnded();
  }

  @Override
  public void exchangeEvent(HttpServerExchange completed, NextListener nextListener) {
    markEnded();
    nextListener.proceed();
  }
}
