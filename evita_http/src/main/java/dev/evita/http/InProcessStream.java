// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/**
 * A request and its response without a socket. The response is collected in memory.
 *
 * <p>It has no thread of its own: any thread acts as its connection's, one at a time.
 */
public final class InProcessStream implements HttpStream {

  /**
   * The response.
   *
   * @param fields the header fields
   * @param body owned by the receiver
   */
  public record Response(int status, HeaderMap fields, byte[] body) {}

  private final String method;
  private final String target;
  private final URI uri;
  private final HeaderMap fields = new HeaderMap();
  private final HeaderMap responseFields = new HeaderMap();
  private final byte[] body;
  private final long begunNanos;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<Response> response = new CompletableFuture<>();
  private Listener listener = NoOpStreamListener.LISTENER;
  private int status;
  private boolean ending;
  private boolean read;

  /**
   * Creates the stream of a request.
   *
   * @param target path and query, percent-encoded
   * @param body not copied
   * @param begunNanos the start time, on the clock of {@link System#nanoTime}
   * @throws IllegalArgumentException for a target that is no URI
   */
  public InProcessStream(
      String method, String target, Map<String, String> fields, byte[] body, long begunNanos) {
    this.method = method;
    this.target = target;
    this.uri = URI.create(target);
    this.body = body;
    this.begunNanos = begunNanos;
    fields.forEach((name, value) -> this.fields.add(new HttpString(name), value));
  }

  /** Completes with the response; exceptionally, if it is aborted. */
  public CompletableFuture<Response> response() {
    return response;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return uri.getPath();
  }

  @Override
  public String query() {
    return Objects.requireNonNullElse(uri.getRawQuery(), "");
  }

  @Override
  public int targetBytes() {
    return target.length();
  }

  @Override
  public HeaderMap fields() {
    return fields;
  }

  @Override
  public long contentLength() {
    return body.length;
  }

  @Override
  public long begunNanos() {
    return begunNanos;
  }

  @Override
  public @Nullable SocketAddress peer() {
    return null;
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return null;
  }

  @Override
  public Object connectionKey() {
    return this;
  }

  @Override
  public boolean isHttp2() {
    return false;
  }

  @Override
  public boolean mayStayOpen() {
    return false;
  }

  @Override
  public boolean isOnThread() {
    return true;
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    throw new UnsupportedOperationException("an in-process stream has no timer");
  }

  @Override
  public boolean isRequestComplete() {
    return body.length == 0 || read;
  }

  @Override
  public void listen(Listener to) {
    listener = to;
  }

  @Override
  public void resume() {
    if (!read) {
      read = true;
      listener.received(ByteBuffer.wrap(body), true);
    }
  }

  @Override
  public void suspend() {}

  @Override
  public void sendContinue() {}

  @Override
  public void leaveUnread() {}

  @Override
  public void leaveConnection() {}

  @Override
  public HeaderMap responseFields() {
    return responseFields;
  }

  @Override
  public void respond(int code) {
    status = code;
  }

  @Override
  public void write(ByteBuffer more) {
    var piece = new byte[more.remaining()];
    more.get(piece);
    bytes.writeBytes(piece);
  }

  @Override
  public void end(@Nullable HeaderMap trailers) {
    ending = true;
  }

  @Override
  public boolean mayFlush(boolean last) {
    return true;
  }

  @Override
  public boolean flush() {
    if (ending) {
      response.complete(new Response(status, responseFields, bytes.toByteArray()));
    }
    return true;
  }

  @Override
  public void keep() {}

  @Override
  public void awaitSent() {}

  @Override
  public int queuedBytes() {
    return 0;
  }

  @Override
  public long sentBytes() {
    return bytes.size();
  }

  @Override
  public boolean isOver() {
    return response.isDone();
  }

  @Override
  public void reset() {
    response.completeExceptionally(
        new EOFException("The response was aborted after " + bytes.size() + " bytes"));
  }

  @Override
  public void probe() {}

  @Override
  public void watchClient() {}

  @Override
  public boolean asksFor(String protocol) {
    return false;
  }

  @Override
  public void upgrade(Consumer<StreamConnection> receiver) {
    throw new UnsupportedOperationException("an in-process stream has no connection");
  }
}
