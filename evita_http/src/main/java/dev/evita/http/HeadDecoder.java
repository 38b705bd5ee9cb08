// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the header blocks of one connection, in their order, and checks them (RFC 9113, sections
 * 8.2 and 8.3). Every block must be decoded, as the compression state is shared by all streams.
 */
final class HeadDecoder implements HpackDecoder.HeaderEmitter {

  /** The initial size of the dynamic table, which is never raised. */
  private static final int TABLE_BYTES = 4_096;

  private static final int FIELD_OVERHEAD = 32;

  private static final HttpString METHOD = new HttpString(":method");
  private static final HttpString SCHEME = new HttpString(":scheme");
  private static final HttpString PATH = new HttpString(":path");
  private static final HttpString AUTHORITY = new HttpString(":authority");
  private static final HttpString TE = new HttpString("te");
  private static final HttpString PROXY_CONNECTION = new HttpString("proxy-connection");

  private final HpackDecoder hpack = new HpackDecoder(TABLE_BYTES);
  private final int maxBytes;
  private final int maxFields;
  private HeaderMap fields = new HeaderMap();
  private @Nullable String method;
  private @Nullable String scheme;
  private @Nullable String path;
  private @Nullable String authority;
  private boolean regular;
  private boolean malformed;
  private long bytes;
  private int count;

  HeadDecoder(int maxBytes, int maxFields) {
    this.maxBytes = maxBytes;
    this.maxFields = maxFields;
    hpack.setHeaderEmitter(this);
  }

  /**
   * Decodes the head of a request.
   *
   * @return null if it is malformed, which is an error of its stream
   * @throws Http2Fault {@code COMPRESSION_ERROR}
   */
  @Nullable Http2Head request(ByteBuffer block) throws Http2Fault {
    decode(block);
    var connect = "CONNECT".equals(method);
    var requested = method;
    var target = connect ? "" : path;
    if (tooLarge() && !malformed) {
      return new Http2Head(
          requested == null ? "GET" : requested,
          target == null ? "/" : target,
          authority,
          fields,
          true);
    }
    if (malformed || requested == null || target == null || !complete(connect)) {
      return null;
    }
    return new Http2Head(requested, target, authority, fields, false);
  }

  private boolean complete(boolean connect) {
    return connect
        ? path == null && scheme == null && authority != null
        : scheme != null && path != null && isTarget(path);
  }

  private boolean isTarget(String text) {
    return text.startsWith("/") || (text.equals("*") && "OPTIONS".equals(method));
  }

  /**
   * Decodes the trailer section of a request, whose fields are ignored.
   *
   * @return whether it is well-formed
   * @throws Http2Fault {@code COMPRESSION_ERROR}
   */
  boolean trailers(ByteBuffer block) throws Http2Fault {
    decode(block);
    return !malformed && method == null && scheme == null && path == null && authority == null;
  }

  private void decode(ByteBuffer block) throws Http2Fault {
    fields = new HeaderMap();
    method = null;
    scheme = null;
    path = null;
    authority = null;
    regular = false;
    malformed = false;
    bytes = 0;
    count = 0;
    try {
      hpack.decode(block, false);
    } catch (HpackException | RuntimeException e) {
      throw new Http2Fault(Http2Error.COMPRESSION_ERROR, "header block cannot be decoded");
    }
    if (block.hasRemaining()) {
      throw new Http2Fault(Http2Error.COMPRESSION_ERROR, "header block ends within a field");
    }
  }

  private boolean tooLarge() {
    return bytes > maxBytes || count > maxFields;
  }

  @Override
  public void emitHeader(HttpString name, String value, boolean neverIndex) {
    bytes += name.length() + value.length() + FIELD_OVERHEAD;
    count++;
    if (tooLarge()) {
      return; // still decoded, for the following blocks, but not kept
    }
    if (name.byteAt(0) == ':') {
      malformed |= regular || !isValue(value) || !pseudo(name, value);
      return;
    }
    regular = true;
    malformed |= !isName(name) || !isValue(value) || isOfConnection(name, value);
    if (!malformed) {
      fields.add(name, value);
    }
  }

  /** Returns whether it is a request's pseudo-header field that has not occurred before. */
  private boolean pseudo(HttpString name, String value) {
    var repeated = true;
    if (name.equals(METHOD)) {
      repeated = method != null;
      method = value;
    } else if (name.equals(SCHEME)) {
      repeated = scheme != null;
      scheme = value;
    } else if (name.equals(PATH)) {
      repeated = path != null;
      path = value;
    } else if (name.equals(AUTHORITY)) {
      repeated = authority != null;
      authority = value;
    }
    return !repeated && !value.isEmpty() && isLowerCase(name);
  }

  private static boolean isLowerCase(HttpString name) {
    for (int i = 0; i < name.length(); i++) {
      var b = name.byteAt(i);
      if (b >= 'A' && b <= 'Z') {
        return false;
      }
    }
    return true;
  }

  /** A token (RFC 9110, section 5.6.2) in lower case. */
  private static boolean isName(HttpString name) {
    for (int i = 0; i < name.length(); i++) {
      var b = name.byteAt(i);
      var letterOrDigit = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-';
      if (!letterOrDigit && "!#$%&'*+.^_`|~".indexOf(b) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Printable characters, bytes above ASCII, and blanks between them. */
  private static boolean isValue(String value) {
    var length = value.length();
    if (length == 0) {
      return true;
    }
    if (isBlank(value.charAt(0)) || isBlank(value.charAt(length - 1))) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      var c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** A field that is specific to HTTP/1 (RFC 9113, section 8.2.2). */
  private static boolean isOfConnection(HttpString name, String value) {
    return switch (name.byteAt(0)) {
      case 'c' -> name.equals(Headers.CONNECTION);
      case 'k' -> name.equals(Headers.KEEP_ALIVE);
      case 'p' -> name.equals(PROXY_CONNECTION);
      case 't' ->
          name.equals(Headers.TRANSFER_ENCODING)
              || (name.equals(TE) && !value.equalsIgnoreCase("trailers"));
      case 'u' -> name.equals(Headers.UPGRADE);
      default -> false;
    };
  }
}
