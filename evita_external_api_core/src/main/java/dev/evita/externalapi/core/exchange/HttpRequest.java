// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.http.HttpStream;
import io.undertow.util.Headers;
import io.undertow.util.URLUtils;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The request of a stream: its head, and its body once complete. */
final class HttpRequest implements Request {

  private static final int SCRATCH = 16 << 10;
  private static final int SMALLEST = 1 << 10;
  private static final int MAX_SHOWN = 100;
  private static final ThreadLocal<byte[]> SCRATCHES =
      ThreadLocal.withInitial(() -> new byte[SCRATCH]);

  private final PortContext port;
  private final HttpStream stream;
  private @Nullable ByteBuffer collected;
  private RequestBody body = RequestBody.EMPTY;
  private boolean bodyKept;

  HttpRequest(PortContext port, HttpStream stream) {
    this.port = port;
    this.stream = stream;
  }

  private Limits limits() {
    return port.dispatcher().limits();
  }

  // ---- the head ----

  @Override
  public String method() {
    return stream.method();
  }

  @Override
  public String path() {
    return stream.path();
  }

  @Override
  public String query() {
    return stream.query();
  }

  @Override
  public @Nullable String queryParameter(String name) {
    for (var pair : query().split("&", -1)) {
      var equals = pair.indexOf('=');
      if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name) && !pair.isEmpty()) {
        return equals < 0 ? "" : decoded(pair.substring(equals + 1));
      }
    }
    return null;
  }

  private static String decoded(String text) {
    return URLUtils.decode(text, StandardCharsets.UTF_8.name(), true, true, new StringBuilder());
  }

  @Override
  public @Nullable String header(String name) {
    var values = FieldNames.values(stream.fields(), name);
    if (values == null) {
      return null;
    }
    return values.size() == 1 ? values.getFirst() : String.join(", ", values);
  }

  @Override
  public void forEachHeader(BiConsumer<String, String> consumer) {
    for (var values : stream.fields()) {
      var name = values.getHeaderName().toString().toLowerCase(Locale.ROOT);
      consumer.accept(name, values.size() == 1 ? values.getFirst() : String.join(", ", values));
    }
  }

  @Override
  public @Nullable String remoteAddress() {
    return stream.peer() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : null;
  }

  @Override
  public void requireOwnPage() {
    if (!isOfOwnPage()) {
      throw foreignPage();
    }
  }

  /** Whether no page of an origin outside {@code cors-origins} made the request. */
  boolean isOfOwnPage() {
    return Cors.allowsChange(port.cors(), stream.fields());
  }

  static EvitaException foreignPage() {
    return new EvitaException(
        HttpErrorCode.ORIGIN_NOT_ALLOWED,
        "Pages of other origins may not change data; add the origin to cors-origins");
  }

  /**
   * Checks the length of the URL.
   *
   * @throws EvitaException {@code URL_TOO_LONG}
   */
  void requireShortUrl() {
    var length = stream.targetBytes();
    if (length > limits().maxUrlBytes()) {
      throw new EvitaException(
          HttpErrorCode.URL_TOO_LONG,
          "The URL has "
              + length
              + " bytes; at most "
              + limits().maxUrlBytes()
              + " are allowed (max-url-bytes)");
    }
  }

  // ---- the body ----

  @Override
  public RequestBody body() {
    return body;
  }

  /**
   * Checks the head's description of the body. Bodies are never decompressed: a short one could
   * expand without bound.
   *
   * @throws EvitaException {@code UNSUPPORTED_MEDIA_TYPE}, {@code BODY_TOO_LARGE}
   */
  void requireReadableBody() {
    var codings = stream.fields().get(Headers.CONTENT_ENCODING);
    var coding = codings == null ? null : firstOtherThanIdentity(codings);
    if (coding != null) {
      stream.leaveUnread();
      stream.responseFields().put(Headers.ACCEPT_ENCODING, "identity");
      throw new EvitaException(
          HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "The body's Content-Encoding is '"
              + coding.substring(0, Math.min(coding.length(), MAX_SHOWN))
              + "'; expected identity, or none");
    }
    if (stream.contentLength() > limits().maxBodyBytes()) {
      throw tooLarge();
    }
  }

  private static @Nullable String firstOtherThanIdentity(Iterable<String> codings) {
    for (var coding : codings) {
      if (!coding.equalsIgnoreCase("identity")) {
        return coding;
      }
    }
    return null;
  }

  /**
   * Collects bytes of the body.
   *
   * @param complete whether these are the last bytes; then {@link #body} is set
   * @throws EvitaException {@code BODY_TOO_LARGE}
   */
  void collect(ByteBuffer bytes, boolean complete) {
    if (collected == null && complete) {
      body = whole(bytes);
      return;
    }
    var held = withRoom(bytes.remaining()).put(bytes);
    collected = complete ? null : held;
    if (complete) {
      body = new RequestBody(bytes(held), held.position());
    }
  }

  /** A body that has arrived in one piece; it is not copied if it is on the heap. */
  private RequestBody whole(ByteBuffer bytes) {
    var length = bytes.remaining();
    if (length > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    if (bytes.hasArray() && bytes.arrayOffset() == 0 && bytes.position() == 0) {
      return new RequestBody(bytes(bytes), length);
    }
    var scratch = length > SCRATCH ? new byte[length] : SCRATCHES.get();
    bytes.get(scratch, 0, length);
    return new RequestBody(scratch, length);
  }

  /** The collected bytes, in a buffer with room for more. */
  private ByteBuffer withRoom(int count) {
    var held = collected;
    var taken = held == null ? 0 : held.position();
    var needed = taken + (long) count;
    if (needed > limits().maxBodyBytes()) {
      throw tooLarge();
    }
    if (held != null && count <= held.remaining()) {
      return held;
    }
    // Sized by the bytes received, not by Content-Length, which costs a client nothing.
    var twice = Math.min(Math.max(taken * 2L, SMALLEST), limits().maxBodyBytes());
    var larger = ByteBuffer.allocate((int) Math.max(needed, twice));
    return held == null ? larger : larger.put(held.flip());
  }

  @SuppressWarnings("ByteBufferBackingArray") // all of these are wrapped or allocated from offset 0
  private static byte[] bytes(ByteBuffer buffer) {
    return buffer.array();
  }

  private EvitaException tooLarge() {
    stream.leaveUnread();
    return new EvitaException(
        HttpErrorCode.BODY_TOO_LARGE,
        "The body is too large; at most "
            + limits().maxBodyBytes()
            + " bytes are allowed (max-body-bytes)");
  }

  /** Discards the rest of the body. */
  void discardBody() {
    collected = null;
  }

  /**
   * Makes the body outlive {@link Api#handle}: its bytes may be in this I/O thread's scratch
   * buffer, which the next request overwrites.
   */
  synchronized void keepBody() {
    if (!bodyKept) {
      bodyKept = true;
      body = body.copy();
    }
  }
}
