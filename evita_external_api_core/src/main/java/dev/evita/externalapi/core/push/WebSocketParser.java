// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses the frames of a WebSocket's client, in pieces of any size (RFC 6455, section 5). No
 * extension is negotiated, so reserved bits must be zero. Not thread-safe.
 */
final class WebSocketParser {

  /** Receives the parsed frames. */
  interface Handler {

    void text(String message);

    void binary();

    void ping(byte[] payload);

    void pong();

    /**
     * A close frame. The last call.
     *
     * @param code of the close frame; {@link #NO_CODE} if it has none
     */
    void close(int code);

    /** Whether the handler accepts another frame now. */
    boolean receptive();
  }

  /** A protocol violation of the client, and the code to close with (RFC 6455, section 7.4.1). */
  static final class ViolationException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    ViolationException(int code, String message) {
      super(message);
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  static final int NO_CODE = 1005;
  static final int TOO_LARGE = 1009;

  private static final int PROTOCOL_ERROR = 1002;
  private static final int INVALID_PAYLOAD = 1007;

  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private static final int FIN = 0x80;
  private static final int RESERVED = 0x70;
  private static final int OPCODE = 0x0f;
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7f;
  private static final int LENGTH_16 = 126;
  private static final int LENGTH_64 = 127;
  private static final int MASK_BYTES = 4;
  private static final int MAX_HEADER = 2 + Long.BYTES + MASK_BYTES;
  private static final int MAX_CONTROL = 125;
  private static final int SMALLEST = 256;

  /** Larger message buffers are not kept for the next message. */
  private static final int MAX_KEPT = 64 << 10;

  private final Handler handler;
  private final int maxMessageBytes;
  private final byte[] header = new byte[MAX_HEADER];
  private final byte[] control = new byte[MAX_CONTROL];
  private int headerBytes;
  private boolean inPayload;
  private boolean fin;
  private int opcode;
  private int left;
  private int maskAt;
  private int controlBytes;
  private byte[] message = new byte[SMALLEST];
  private int messageBytes;

  /** {@link #TEXT} or {@link #BINARY} while a message is incomplete, else {@link #CONTINUATION}. */
  private int begun = CONTINUATION;

  private boolean closed;

  WebSocketParser(int maxMessageBytes, Handler handler) {
    this.maxMessageBytes = maxMessageBytes;
    this.handler = handler;
  }

  /** Parses as many frames as the handler accepts, and none after a close frame. */
  void parse(ByteBuffer bytes) throws ViolationException {
    while (bytes.hasRemaining() && !closed && handler.receptive()) {
      if (!inPayload && !header(bytes)) {
        continue;
      }
      payload(bytes);
      if (left == 0) {
        inPayload = false;
        headerBytes = 0;
        frameEnded();
      }
    }
  }

  // ---- the header ----

  /** Returns whether the header is complete. */
  private boolean header(ByteBuffer bytes) throws ViolationException {
    header[headerBytes++] = bytes.get();
    if (headerBytes < 2) {
      return false;
    }
    if (headerBytes == 2) {
      firstTwo(header[0], header[1]);
    }
    var length = header[1] & LENGTH;
    var extended = length == LENGTH_16 ? Short.BYTES : length == LENGTH_64 ? Long.BYTES : 0;
    if (headerBytes < 2 + extended + MASK_BYTES) {
      return false;
    }
    left = length(length, extended);
    inPayload = true;
    return true;
  }

  private void firstTwo(byte first, byte second) throws ViolationException {
    fin = (first & FIN) != 0;
    opcode = first & OPCODE;
    require((first & RESERVED) == 0, "A reserved bit is set, but no extension was negotiated");
    require((second & MASKED) != 0, "The frame is not masked");
    switch (opcode) {
      case CONTINUATION ->
          require(begun != CONTINUATION, "The continuation frame has no message to continue");
      case TEXT, BINARY -> {
        require(begun == CONTINUATION, "The previous message is not complete");
        begun = opcode;
      }
      case CLOSE, PING, PONG -> {
        require(fin, "A control frame is fragmented");
        require((second & LENGTH) <= MAX_CONTROL, "A control frame has more than 125 bytes");
        controlBytes = 0;
      }
      default ->
          throw new ViolationException(PROTOCOL_ERROR, "The opcode " + opcode + " is unknown");
    }
  }

  private int length(int length, int extended) throws ViolationException {
    if (extended == 0) {
      return checkedSize(length);
    }
    var number = ByteBuffer.wrap(header, 2, extended);
    var size = extended == Short.BYTES ? number.getShort() & 0xffffL : number.getLong();
    require(
        size > (extended == Short.BYTES ? MAX_CONTROL : 0xffff),
        "The length is not encoded in the minimal number of bytes");
    return checkedSize(size);
  }

  private int checkedSize(long size) throws ViolationException {
    if (opcode < CLOSE && size > maxMessageBytes - messageBytes) {
      throw new ViolationException(
          TOO_LARGE, "The message is too large; at most " + maxMessageBytes + " bytes are allowed");
    }
    return (int) size;
  }

  private static void require(boolean condition, String otherwise) throws ViolationException {
    if (!condition) {
      throw new ViolationException(PROTOCOL_ERROR, otherwise);
    }
  }

  // ---- the payload ----

  private void payload(ByteBuffer bytes) {
    var count = Math.min(left, bytes.remaining());
    var maskFrom = headerBytes - MASK_BYTES;
    var target = opcode < CLOSE ? room(count) : control;
    var to = opcode < CLOSE ? messageBytes : controlBytes;
    for (int i = 0; i < count; i++) {
      target[to + i] = (byte) (bytes.get() ^ header[maskFrom + ((maskAt + i) & 3)]);
    }
    if (opcode < CLOSE) {
      messageBytes += count;
    } else {
      controlBytes += count;
    }
    left -= count;
    maskAt = left == 0 ? 0 : (maskAt + count) & 3;
  }

  /** Sized by the bytes received, not by the announced length, which costs a client nothing. */
  private byte[] room(int count) {
    if (messageBytes + count > message.length) {
      message = Arrays.copyOf(message, Math.max(2 * message.length, messageBytes + count));
    }
    return message;
  }

  private void frameEnded() throws ViolationException {
    switch (opcode) {
      case CLOSE -> {
        closed = true;
        handler.close(closeCode());
      }
      case PING -> handler.ping(Arrays.copyOf(control, controlBytes));
      case PONG -> handler.pong();
      default -> {
        if (fin) {
          messageEnded();
        }
      }
    }
  }

  private void messageEnded() throws ViolationException {
    var kind = begun;
    var text = kind == TEXT ? utf8(message, 0, messageBytes) : "";
    begun = CONTINUATION;
    messageBytes = 0;
    if (message.length > MAX_KEPT) {
      message = new byte[SMALLEST];
    }
    if (kind == TEXT) {
      handler.text(text);
    } else {
      handler.binary();
    }
  }

  private int closeCode() throws ViolationException {
    if (controlBytes == 0) {
      return NO_CODE;
    }
    require(controlBytes > 1, "The close frame has an incomplete code");
    var code = ((control[0] & 0xff) << 8) | (control[1] & 0xff);
    require(mayBeSent(code), "The close frame has the code " + code + ", which must not be sent");
    utf8(control, 2, controlBytes - 2);
    return code;
  }

  /** By IANA's registry: 1004 to 1006 and 1015 are never sent. */
  private static boolean mayBeSent(int code) {
    return (code >= 1000 && code <= 1003)
        || (code >= 1007 && code <= 1014)
        || (code >= 3000 && code <= 4999);
  }

  private static String utf8(byte[] bytes, int from, int count) throws ViolationException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, from, count))
          .toString();
    } catch (CharacterCodingException e) {
      throw new ViolationException(INVALID_PAYLOAD, "The text is not valid UTF-8");
    }
  }
}
