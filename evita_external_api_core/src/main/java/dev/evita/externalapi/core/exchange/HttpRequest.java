// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.http.HttpStream;
import io.undertow.util.Headers;
import io.undertow.util.URLUtils;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The request of a stream: its head, and its body once that has been collected. */
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
  public void requireOwnPage() {
    if (!isOfOwnPage()) {
      throw foreignPage();
    }
  }

  /** Whether no page of another origin made it that is not among {@code cors-origins}. */
  boolean isOfOwnPage() {
    return Cors.allowsChange(port.cors(), stream.fields());
  }

  static EvitaException foreignPage() {
    return new EvitaException(
        ErrorCode.ORIGIN_NOT_ALLOWED,
        "Pages of other origins may not change anything here; name theirs in cors-origins");
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
          ErrorCode.URL_TOO_LONG,
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
   * Checks what the head announces of the body. Nothing is decompressed here: a short body could
   * become an endless one.
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
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
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
   * @param complete whether they are the last; then {@link #body} is set
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

  /** A body that has arrived at once, which is not copied where it lies on the heap. */
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

  /** What has been collected, in a buffer that has room for more. */
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
    // By what has come, not by what was announced: an announcement costs a client nothing.
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
        ErrorCode.BODY_TOO_LARGE,
        "The body is too large; at most "
            + limits().maxBodyBytes()
            + " bytes are allowed (max-body-bytes)");
  }

  /** The rest of the body is not wanted. */
  void discardBody() {
    collected = null;
  }

  /**
   * Makes the body last beyond {@link Api#handle}: its bytes may be this I/O thread's scratch,
   * which the next request overwrites.
   */
  synchronized void keepBody() {
    if (!bodyKept) {
      bodyKept = true;
      body = body.copy();
    }
  }
}
