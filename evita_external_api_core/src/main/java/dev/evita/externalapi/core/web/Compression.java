// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Decides which responses are compressed, and by which coding (RFC 9110, sections 8.4 and 12.5.3).
 * One for all APIs; null if none is configured. Thread-safe.
 *
 * <p>Not compressed: short responses, event streams (whose events are short and must not wait for
 * each other), partial responses (206, as a cache could join parts of different codings), and types
 * that are not known to be compressible.
 */
public final class Compression {

  private static final Set<String> TYPES =
      Set.of("application/json", "application/x-ndjson", "application/xml", "application/yaml");

  private final List<ContentCoding> offered;
  private final int minBytes;
  private final AtomicInteger open = new AtomicInteger();

  private Compression(CompressionOptions options) {
    offered = options.compression().stream().map(ContentCoding::named).toList();
    minBytes = options.compressionMinBytes();
  }

  /**
   * Null if no coding is configured.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} if a coding is not available
   */
  public static @Nullable Compression of(CompressionOptions options) {
    if (options.compression().isEmpty()) {
      return null;
    }
    var compression = new Compression(options);
    compression.offered.forEach(Compression::requireWorking);
    return compression;
  }

  private static void requireWorking(ContentCoding coding) {
    try (var stream = coding.over(OutputStream.nullOutputStream())) {
      stream.write(0);
    } catch (IOException | LinkageError e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "compression contains "
              + coding.token()
              + ", which is not available ("
              + e
              + "); add com.github.luben:zstd-jni to the class path",
          e);
    }
  }

  /**
   * Selects the coding of a response, and sets it in its head.
   *
   * @param length of the body; -1 if more will follow
   * @return null if the response is not compressed
   */
  public @Nullable BodyEncoder start(
      int status, int length, HeaderMap request, HeaderMap response) {
    if (!shrinks(response) || status == StatusCodes.PARTIAL_CONTENT) {
      return null;
    }
    var unchanged = status == StatusCodes.NOT_MODIFIED;
    if (!unchanged && (status == StatusCodes.NO_CONTENT || (length >= 0 && length < minBytes))) {
      return null;
    }
    response.add(Headers.VARY, Headers.ACCEPT_ENCODING_STRING);
    var accepted = request.get(Headers.ACCEPT_ENCODING);
    var coding =
        accepted == null ? null : AcceptEncoding.choose(String.join(",", accepted), offered);
    if (coding == null) {
      return null;
    }
    weaken(response);
    if (unchanged) {
      return null;
    }
    response.put(Headers.CONTENT_ENCODING, coding.token());
    open.incrementAndGet();
    return new BodyEncoder(coding, open::decrementAndGet);
  }

  /**
   * The number of responses being compressed, each of which holds memory. For tests and metrics.
   */
  int open() {
    return open.get();
  }

  private static boolean shrinks(HeaderMap response) {
    var type = MediaTypes.essence(response.getFirst(Headers.CONTENT_TYPE));
    return type != null
        && (TYPES.contains(type)
            || type.endsWith("+json")
            || (type.startsWith("text/") && !type.equals(MediaTypes.EVENT_STREAM)))
        && !response.contains(Headers.CONTENT_ENCODING);
  }

  /** Weakens the tag: the bytes differ from those it was given for, their meaning does not. */
  private static void weaken(HeaderMap response) {
    var tag = response.getFirst(Headers.ETAG);
    if (tag != null && tag.startsWith("\"")) {
      response.put(Headers.ETAG, "W/" + tag);
    }
  }
}
