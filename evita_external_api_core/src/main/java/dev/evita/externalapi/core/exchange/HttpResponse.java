// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.externalapi.core.web.BodyEncoder;
import dev.evita.externalapi.core.work.ResponseChannel;
import dev.evita.http.HttpStream;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The response of a stream.
 *
 * <p>The stream belongs to its connection's thread: bytes that another thread cannot send itself
 * are copied and handed over.
 */
final class HttpResponse implements ResponseChannel {

  private final PortContext port;
  private final HttpStream stream;
  private final HttpExchange exchange;
  private int status;
  private boolean headFinished;
  private boolean responded;
  private boolean last;
  private @Nullable ByteBuffer unsent;
  private volatile boolean committed;
  private volatile @Nullable BodyEncoder encoder;

  HttpResponse(PortContext port, HttpStream stream, HttpExchange exchange) {
    this.port = port;
    this.stream = stream;
    this.exchange = exchange;
  }

  @Override
  public void header(String name, @Nullable String value) {
    if (value == null) {
      stream.responseFields().remove(name);
    } else {
      stream.responseFields().put(HttpString.tryFromString(name), value);
    }
  }

  @Override
  public void addHeader(String name, String value) {
    stream.responseFields().add(HttpString.tryFromString(name), value);
  }

  @Override
  public void start(int code, String contentType) {
    status = code;
    stream.responseFields().put(Headers.CONTENT_TYPE, contentType);
  }

  @Override
  public boolean committed() {
    return committed;
  }

  @Override
  public boolean write(byte[] bytes, int length, boolean lastBytes) {
    if (exchange.work().ended()) {
      return true;
    }
    try {
      var piece = piece(bytes, length, lastBytes);
      var borrowed = encoder == null;
      last = lastBytes;
      if (!stream.mayFlush(lastBytes)) {
        unsent = borrowed ? copy(piece) : piece;
        return false;
      }
      var all = push(piece, borrowed);
      if (exchange.work().ended()) {
        close(); // another thread ended the exchange before the encoder existed
      }
      return all;
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
  }

  /** The next piece of the body in its content coding, after the head was completed. */
  private ByteBuffer piece(byte[] bytes, int length, boolean lastBytes) throws IOException {
    var begins = !headFinished;
    if (begins) {
      headFinished = true;
      finishHead(lastBytes ? length : -1);
    }
    var encoding = encoder;
    var piece =
        encoding == null
            ? ByteBuffer.wrap(bytes, 0, length)
            : encoding.encode(bytes, length, lastBytes);
    if (begins && lastBytes && !bodiless(status)) {
      stream.responseFields().put(Headers.CONTENT_LENGTH, piece.remaining());
    }
    committed = true;
    return piece;
  }

  /**
   * Completes the head of a response of which nothing has been sent.
   *
   * @param length of the body; -1 if more will follow
   */
  private void finishHead(int length) {
    var cors = port.cors();
    if (cors != null) {
      var options = stream.method().equals("OPTIONS");
      cors.addHeaders(options, stream.fields(), stream.responseFields());
    }
    var compression = port.compression();
    if (compression != null) {
      encoder = compression.start(status, length, stream.fields(), stream.responseFields());
    }
  }

  /** Completes the head of a call's answer. */
  void finishCallHead() {
    committed = true;
    var cors = port.cors();
    if (cors != null) {
      cors.addHeadersExposingAll(stream.fields(), stream.responseFields());
    }
  }

  /** For these, the length would be that of another response (RFC 9110, section 8.6). */
  private static boolean bodiless(int status) {
    return status == 204 || status == 304;
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    var copy = ByteBuffer.allocate(bytes.remaining());
    copy.put(bytes);
    return copy.flip();
  }

  /**
   * Sends as much as flow-control windows and socket allow.
   *
   * @param borrowed whether the caller owns the bytes, so that the rest must be copied
   * @return whether all bytes were sent
   */
  private boolean push(ByteBuffer bytes, boolean borrowed) {
    if (!responded) {
      responded = true;
      stream.respond(status);
    }
    stream.write(bytes);
    if (last) {
      stream.end(null);
    }
    var all = stream.flush();
    if (!all && borrowed) {
      stream.keep();
    }
    if (all && last) {
      exchange.end();
    }
    return all;
  }

  @Override
  public void awaitDrain() {
    var work = exchange.work();
    if (work.ended()) {
      return;
    }
    work.dispatcher().watch(work);
    if (unsent == null) {
      stream.awaitSent();
    } else {
      stream.execute(this::pushUnsent);
    }
  }

  /** Sends the bytes that another thread has written. */
  private void pushUnsent() {
    var rest = unsent;
    unsent = null;
    if (rest == null || exchange.work().ended()) {
      return;
    }
    if (!push(rest, false)) {
      stream.awaitSent();
    } else if (!last) {
      exchange.drained();
    }
  }

  /** The stream has sent its queue. */
  void sent() {
    if (last) {
      exchange.end();
    } else {
      exchange.drained();
    }
  }

  @Override
  public void abort() {
    committed = true;
    exchange.end();
    stream.reset();
  }

  /** Frees off-heap memory. Idempotent, thread-safe. */
  void close() {
    var encoding = encoder;
    if (encoding != null) {
      encoding.close();
    }
  }
}
