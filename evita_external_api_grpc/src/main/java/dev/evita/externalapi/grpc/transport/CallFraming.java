// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import dev.evita.externalapi.core.exchange.StreamingApi.Dialect;
import dev.evita.externalapi.core.exchange.StreamingExchange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/**
 * How the messages of a call and its end stand in HTTP. One for each call, on the connection's
 * thread.
 */
public sealed class CallFraming permits WebFraming {

  static final String MEDIA_TYPE = "application/grpc";
  static final String WEB = "application/grpc-web";
  static final String WEB_TEXT = "application/grpc-web-text";

  /** What is spoken here. */
  public static final List<Dialect> DIALECTS =
      List.of(new Dialect(MEDIA_TYPE, false), new Dialect(WEB, true), new Dialect(WEB_TEXT, true));

  private static final CallFraming NATIVE = new CallFraming();

  /** Whether the messages are protobuf's, as nothing else is spoken here. */
  public static boolean isProtobuf(StreamingExchange call) {
    var contentType = call.header("content-type");
    if (contentType == null || contentType.equals(MEDIA_TYPE)) {
      return true;
    }
    var type = contentType.split(";", 2)[0].strip();
    var codec = type.indexOf('+') + 1;
    return codec == 0 || type.substring(codec).equalsIgnoreCase("proto");
  }

  /** As the content type of the call has it, which is one of {@link #DIALECTS}. */
  public static CallFraming of(StreamingExchange call) {
    var contentType = call.header("content-type");
    return contentType == null || !isOf(contentType, WEB)
        ? NATIVE
        : new WebFraming(isOf(contentType, WEB_TEXT), answersText(call, contentType));
  }

  /** It is the answer's type that is asked for; else that of the request. */
  private static boolean answersText(StreamingExchange call, String contentType) {
    var accept = call.header("accept");
    return isOf(accept != null && isOf(accept, WEB) ? accept : contentType, WEB_TEXT);
  }

  private static boolean isOf(String type, String mediaType) {
    return type.toLowerCase(Locale.ROOT).startsWith(mediaType);
  }

  /** The media type of the answer. */
  public String contentType() {
    return MEDIA_TYPE;
  }

  /**
   * The messages' bytes in what has come of the request, valid as long as that is.
   *
   * @throws io.grpc.StatusRuntimeException {@code INTERNAL} for what is none
   */
  ByteBuffer received(ByteBuffer bytes) {
    return bytes;
  }

  /** Whether what has come so far cannot be the end. */
  boolean midway() {
    return false;
  }

  /** Writes a message, whose bytes are not copied. */
  void message(StreamingExchange to, byte[] bytes, int length) {
    to.write(bytes, length);
  }

  /**
   * Ends the answer.
   *
   * @param trailers fields, each a name and a value
   * @param headers whether headers have been set for it before
   */
  public void end(StreamingExchange to, List<String[]> trailers, boolean headers) {
    if (headers) {
      to.end(trailers);
      return;
    }
    for (var field : trailers) {
      to.responseHeader(field[0], field[1]);
    }
    to.end(List.of());
  }
}
