// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import dev.evita.externalapi.core.exchange.StreamingExchange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * gRPC-Web, for pages of browsers, which see no trailers of HTTP: they are the last message of the
 * answer, with a flag of their own. As text, all is in base64, message by message.
 */
final class WebFraming extends CallFraming {

  private static final byte TRAILERS = (byte) 0x80;
  private static final int PREFIX = 5;

  private final TextReader text = new TextReader();
  private final boolean ofText;
  private final boolean asText;

  /**
   * @param ofText whether the request is text
   * @param asText whether the answer is to be
   */
  WebFraming(boolean ofText, boolean asText) {
    this.ofText = ofText;
    this.asText = asText;
  }

  @Override
  public String contentType() {
    return (asText ? WEB_TEXT : WEB) + "+proto";
  }

  @Override
  ByteBuffer received(ByteBuffer bytes) {
    return ofText ? text.decode(bytes) : bytes;
  }

  @Override
  boolean midway() {
    return text.midway();
  }

  @Override
  void message(StreamingExchange to, byte[] bytes, int length) {
    if (asText) {
      var encoded = Base64.getEncoder().encode(Arrays.copyOf(bytes, length));
      to.write(encoded, encoded.length);
    } else {
      to.write(bytes, length);
    }
  }

  @Override
  public void end(StreamingExchange to, List<String[]> trailers, boolean headers) {
    var block = new StringBuilder();
    for (var field : trailers) {
      block.append(field[0]).append(": ").append(field[1]).append("\r\n");
    }
    var bytes = block.toString().getBytes(StandardCharsets.ISO_8859_1);
    var framed = ByteBuffer.allocate(PREFIX + bytes.length);
    framed.put(TRAILERS).putInt(bytes.length).put(bytes);
    message(to, framed.array(), framed.capacity());
    to.end(List.of());
  }
}
