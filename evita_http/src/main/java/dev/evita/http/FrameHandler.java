// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks the frames of a client (RFC 9113, section 6), keeps the state of the receiving side, and
 * passes their content to streams, or to the connection. Belongs to the connection's thread.
 */
final class FrameHandler implements FrameReader.Sink {

  private static final int PING_BYTES = 8;
  private static final int SETTING_BYTES = 6;
  private static final int PRIORITY_BYTES = 5;
  private static final int MAX_FRAME_SIZE = (1 << 24) - 1;
  private static final long RESET_PERIOD = TimeUnit.SECONDS.toNanos(10);

  private final Http2Connection connection;
  private final FrameWriter writer;
  private final HeadDecoder decoder;
  private boolean settingsRead;
  private @Nullable HeadBlock headBlock;

  /** The largest stream number received, and the largest that was not ignored. */
  private int newest;

  private int newestAccepted;
  private int ignored;
  private int receiveWindow = Http2Connection.STREAM_WINDOW;
  private int resets;
  private long resetsSince = System.nanoTime();

  FrameHandler(Http2Connection connection, FrameWriter writer, Http2Options options) {
    this.connection = connection;
    this.writer = writer;
    this.decoder = new HeadDecoder(options.maxHeaderBytes(), options.maxFields());
  }

  /** The largest number of a stream that is or was processed. */
  int newestAccepted() {
    return newestAccepted;
  }

  /** Bytes of the connection's receive window were returned to the client. */
  void credited(int bytes) {
    receiveWindow += bytes;
  }

  /** Whether the client's first SETTINGS have arrived. */
  boolean isSettingsRead() {
    return settingsRead;
  }

  /** The start of the incomplete header block; {@code otherwise} if there is none. */
  long headBegunNanos(long otherwise) {
    var block = headBlock;
    return block == null ? otherwise : block.begunNanos();
  }

  /**
   * Begins with the settings of an upgrade, whose request is stream 1.
   *
   * @param bodyBytes the part of the receive window that its body uses
   */
  void upgraded(ByteBuffer settings, int bodyBytes) throws Http2Fault {
    settings(settings);
    newest = 1;
    newestAccepted = 1;
    receiveWindow -= bodyBytes;
  }

  @Override
  public void frame(int type, int flags, int stream, ByteBuffer payload) throws Http2Fault {
    if (!settingsRead) {
      require(
          type == Http2Frame.SETTINGS && (flags & Http2Frame.ACK) == 0,
          Http2Error.PROTOCOL_ERROR,
          "the first frame must be SETTINGS");
      settingsRead = true;
    }
    if (headBlock != null && type != Http2Frame.CONTINUATION) {
      throw new Http2Fault(Http2Error.PROTOCOL_ERROR, "header block is not complete");
    }
    switch (type) {
      case Http2Frame.DATA -> data(flags, stream, payload);
      case Http2Frame.HEADERS -> headers(flags, stream, payload);
      case Http2Frame.PRIORITY -> priority(stream, payload);
      case Http2Frame.RST_STREAM -> reset(stream, payload);
      case Http2Frame.SETTINGS -> settingsFrame(flags, stream, payload);
      case Http2Frame.PUSH_PROMISE ->
          throw new Http2Fault(Http2Error.PROTOCOL_ERROR, "PUSH_PROMISE from a client");
      case Http2Frame.PING -> ping(flags, stream, payload);
      case Http2Frame.GOAWAY -> goAway(stream, payload);
      case Http2Frame.WINDOW_UPDATE -> windowUpdate(stream, payload);
      case Http2Frame.CONTINUATION -> continuation(flags, stream, payload);
      default -> {
        // Unknown types are ignored (RFC 9113, section 4.1).
      }
    }
  }

  private static void require(boolean condition, Http2Error error, String message)
      throws Http2Fault {
    if (!condition) {
      throw new Http2Fault(error, message);
    }
  }

  /** A frame on a stream that has not begun is an error of the connection. */
  private void requireBegun(int stream) throws Http2Fault {
    require(
        stream != 0 && stream <= newest && (stream & 1) == 1,
        Http2Error.PROTOCOL_ERROR,
        "frame on an idle stream");
  }

  /** Removes padding. */
  private static void unpad(int flags, ByteBuffer payload) throws Http2Fault {
    if ((flags & Http2Frame.PADDED) == 0) {
      return;
    }
    require(payload.hasRemaining(), Http2Error.FRAME_SIZE_ERROR, "frame without pad length");
    var padding = payload.get() & 0xff;
    require(padding <= payload.remaining(), Http2Error.PROTOCOL_ERROR, "padding exceeds the frame");
    payload.limit(payload.limit() - padding);
  }

  // ---- frames of streams ----

  private void data(int flags, int number, ByteBuffer payload) throws Http2Fault {
    requireBegun(number);
    var flowBytes = payload.remaining();
    receiveWindow -= flowBytes;
    require(receiveWindow >= 0, Http2Error.FLOW_CONTROL_ERROR, "connection window exceeded");
    unpad(flags, payload);
    var stream = connection.stream(number);
    if (stream == null) {
      connection.credit(flowBytes);
      late(number, Http2Error.STREAM_CLOSED);
      return;
    }
    connection.guarded(
        stream,
        () -> {
          var end = (flags & Http2Frame.END_STREAM) != 0;
          var error = stream.dataArrived(payload, flowBytes, end);
          if (error != null) {
            clientError(stream, error);
          }
        });
    requireCalm();
  }

  /** Handles a frame on a stream that has ended, other than an ignored one. */
  private void late(int number, Http2Error error) throws Http2Fault {
    switch (connection.endOf(number)) {
      case RESET_BY_US -> {
        // It was in flight when the stream was reset.
      }
      case RESET_BY_PEER -> {
        countReset();
        connection.sendReset(number, error);
      }
      case COMPLETE -> throw new Http2Fault(error, "frame on a closed stream");
      case UNKNOWN -> {
        // Ended too long ago to be recorded: the other streams must not be affected.
        if (number <= newestAccepted) {
          countReset();
          connection.sendReset(number, error);
        }
      }
    }
  }

  private void headers(int flags, int number, ByteBuffer payload) throws Http2Fault {
    require((number & 1) == 1, Http2Error.PROTOCOL_ERROR, "stream number is not odd");
    unpad(flags, payload);
    var dependsOnItself = false;
    if ((flags & Http2Frame.WITH_PRIORITY) != 0) {
      require(
          payload.remaining() >= PRIORITY_BYTES, Http2Error.FRAME_SIZE_ERROR, "HEADERS too short");
      dependsOnItself = (payload.getInt() & Integer.MAX_VALUE) == number;
      payload.get();
    }
    var endStream = (flags & Http2Frame.END_STREAM) != 0;
    if ((flags & Http2Frame.END_HEADERS) == 0) {
      headBlock = new HeadBlock(number, endStream, connection.lastReadNanos(), payload);
      return;
    }
    if (dependsOnItself) {
      refuseHead(number, payload);
      return;
    }
    head(number, endStream, connection.lastReadNanos(), payload);
  }

  private void continuation(int flags, int number, ByteBuffer payload) throws Http2Fault {
    var open = headBlock;
    if (open == null || open.stream() != number) {
      throw new Http2Fault(Http2Error.PROTOCOL_ERROR, "CONTINUATION without HEADERS");
    }
    open.add(payload);
    if ((flags & Http2Frame.END_HEADERS) != 0) {
      headBlock = null;
      head(number, open.endStream(), open.begunNanos(), open.bytes());
    }
  }

  /** Rejects a stream whose priority is an error (RFC 7540, section 5.3.1). */
  private void refuseHead(int number, ByteBuffer block) throws Http2Fault {
    var unused = decoder.trailers(block);
    newest = Math.max(newest, number);
    var stream = connection.stream(number);
    if (stream == null) {
      streamError(number, Http2Error.PROTOCOL_ERROR);
    } else {
      clientError(stream, Http2Error.PROTOCOL_ERROR);
    }
  }

  private void head(int number, boolean endStream, long begunNanos, ByteBuffer block)
      throws Http2Fault {
    if (number > newest) {
      newest = number;
      open(number, endStream, begunNanos, block);
      return;
    }
    var wellFormed = decoder.trailers(block);
    var stream = connection.stream(number);
    if (stream == null) {
      lateHead(number);
    } else if (stream.isRequestComplete()) {
      clientError(stream, Http2Error.STREAM_CLOSED);
    } else if (!wellFormed || !endStream) {
      clientError(stream, Http2Error.PROTOCOL_ERROR);
    } else {
      connection.guarded(
          stream,
          () -> {
            var error = stream.endArrived();
            if (error != null) {
              clientError(stream, error);
            }
          });
    }
  }

  private void lateHead(int number) throws Http2Fault {
    if (connection.endOf(number) == ClosedStreams.End.UNKNOWN) {
      throw new Http2Fault(Http2Error.PROTOCOL_ERROR, "stream number is not larger than before");
    }
    late(number, Http2Error.STREAM_CLOSED);
  }

  private void open(int number, boolean endStream, long begunNanos, ByteBuffer block)
      throws Http2Fault {
    var head = decoder.request(block);
    if (connection.isLeaving()) {
      // GOAWAY has announced that it is not processed (RFC 9113, section 6.8).
      require(
          ++ignored <= Http2Connection.MAX_STREAMS,
          Http2Error.ENHANCE_YOUR_CALM,
          "too many late streams");
      return;
    }
    newestAccepted = number;
    if (connection.streams() >= Http2Connection.MAX_STREAMS) {
      streamError(number, Http2Error.REFUSED_STREAM);
      return;
    }
    var length = head == null ? -2 : contentLength(head.fields());
    if (head == null || length < -1 || (endStream && length > 0)) {
      streamError(number, Http2Error.PROTOCOL_ERROR);
      return;
    }
    connection.open(number, head, begunNanos, length, endStream);
  }

  /** The announced length of the body; -1 if absent, -2 if it is no number. */
  private static long contentLength(HeaderMap fields) {
    var values = fields.get(Headers.CONTENT_LENGTH);
    if (values == null) {
      return -1;
    }
    var first = values.getFirst();
    for (var value : values) {
      if (!value.equals(first)) {
        return -2;
      }
    }
    if (first.isEmpty() || first.length() > 18) {
      return -2;
    }
    var length = 0L;
    for (int i = 0; i < first.length(); i++) {
      var c = first.charAt(i);
      if (c < '0' || c > '9') {
        return -2;
      }
      length = 10 * length + c - '0';
    }
    return length;
  }

  private void reset(int number, ByteBuffer payload) throws Http2Fault {
    requireBegun(number);
    require(payload.remaining() == 4, Http2Error.FRAME_SIZE_ERROR, "RST_STREAM is not 4 bytes");
    var stream = connection.stream(number);
    if (stream != null) {
      countReset();
      connection.guarded(stream, () -> stream.close(ClosedStreams.End.RESET_BY_PEER));
    }
  }

  /** Ends a stream after an error of the client. */
  private void clientError(Http2Stream stream, Http2Error error) {
    addReset();
    stream.reset(error);
  }

  private void streamError(int number, Http2Error error) throws Http2Fault {
    countReset();
    connection.refuse(number, error);
  }

  /**
   * Counts a reset, which is cheap to cause and costly to handle (CVE-2023-44487, CVE-2025-8671).
   */
  private void addReset() {
    var now = System.nanoTime();
    if (now - resetsSince > RESET_PERIOD) {
      resetsSince = now;
      resets = 0;
    }
    resets++;
  }

  private void requireCalm() throws Http2Fault {
    require(
        resets <= Http2Connection.MAX_RESETS,
        Http2Error.ENHANCE_YOUR_CALM,
        "too many reset streams");
  }

  private void countReset() throws Http2Fault {
    addReset();
    requireCalm();
  }

  // ---- frames of the connection ----

  private void priority(int number, ByteBuffer payload) throws Http2Fault {
    require(number != 0, Http2Error.PROTOCOL_ERROR, "PRIORITY on stream 0");
    if (payload.remaining() != PRIORITY_BYTES) {
      refuseStream(number, Http2Error.FRAME_SIZE_ERROR);
    } else if ((payload.getInt() & Integer.MAX_VALUE) == number) {
      refuseStream(number, Http2Error.PROTOCOL_ERROR);
    }
  }

  private void refuseStream(int number, Http2Error error) throws Http2Fault {
    countReset();
    var stream = connection.stream(number);
    if (stream == null) {
      connection.sendReset(number, error);
    } else {
      stream.reset(error);
    }
  }

  private void settingsFrame(int flags, int number, ByteBuffer payload) throws Http2Fault {
    require(number == 0, Http2Error.PROTOCOL_ERROR, "SETTINGS on a stream");
    if ((flags & Http2Frame.ACK) != 0) {
      require(!payload.hasRemaining(), Http2Error.FRAME_SIZE_ERROR, "SETTINGS ACK with a payload");
      return;
    }
    require(
        payload.remaining() % SETTING_BYTES == 0,
        Http2Error.FRAME_SIZE_ERROR,
        "SETTINGS is not a multiple of 6 bytes");
    settings(payload);
    writer.frame(Http2Frame.SETTINGS, Http2Frame.ACK, 0, ByteBuffer.allocate(0));
  }

  private void settings(ByteBuffer payload) throws Http2Fault {
    var window = -1L;
    while (payload.hasRemaining()) {
      var name = payload.getShort() & 0xffff;
      var value = payload.getInt() & 0xffffffffL;
      switch (name) {
        case Http2Frame.HEADER_TABLE_SIZE ->
            connection.headerTableBytes((int) Math.min(value, Integer.MAX_VALUE));
        case Http2Frame.ENABLE_PUSH ->
            require(value <= 1, Http2Error.PROTOCOL_ERROR, "ENABLE_PUSH is neither 0 nor 1");
        case Http2Frame.INITIAL_WINDOW_SIZE -> {
          require(
              value <= Integer.MAX_VALUE,
              Http2Error.FLOW_CONTROL_ERROR,
              "INITIAL_WINDOW_SIZE is too large");
          window = value;
        }
        case Http2Frame.MAX_FRAME_SIZE ->
            require(
                value >= Http2Frame.MAX_PAYLOAD && value <= MAX_FRAME_SIZE,
                Http2Error.PROTOCOL_ERROR,
                "MAX_FRAME_SIZE is out of range");
        default -> {
          // Unknown settings are ignored (RFC 9113, section 6.5.2).
        }
      }
    }
    // Applied once, as it iterates over the streams and a frame may contain 2,730 of them.
    require(
        window < 0 || connection.initialSendWindow(window),
        Http2Error.FLOW_CONTROL_ERROR,
        "INITIAL_WINDOW_SIZE is too large for an open stream");
  }

  private void ping(int flags, int number, ByteBuffer payload) throws Http2Fault {
    require(number == 0, Http2Error.PROTOCOL_ERROR, "PING on a stream");
    require(payload.remaining() == PING_BYTES, Http2Error.FRAME_SIZE_ERROR, "PING is not 8 bytes");
    if ((flags & Http2Frame.ACK) == 0) {
      writer.frame(Http2Frame.PING, Http2Frame.ACK, 0, payload);
    }
  }

  /** The client closes the connection once its requests have completed. */
  private void goAway(int number, ByteBuffer payload) throws Http2Fault {
    require(number == 0, Http2Error.PROTOCOL_ERROR, "GOAWAY on a stream");
    require(payload.remaining() >= 8, Http2Error.FRAME_SIZE_ERROR, "GOAWAY is too short");
  }

  private void windowUpdate(int number, ByteBuffer payload) throws Http2Fault {
    require(payload.remaining() == 4, Http2Error.FRAME_SIZE_ERROR, "WINDOW_UPDATE is not 4 bytes");
    var increment = payload.getInt() & Integer.MAX_VALUE;
    if (number == 0) {
      require(increment > 0, Http2Error.PROTOCOL_ERROR, "WINDOW_UPDATE by 0");
      require(connection.widen(increment), Http2Error.FLOW_CONTROL_ERROR, "window is too large");
      return;
    }
    requireBegun(number);
    var stream = connection.stream(number);
    if (stream == null) {
      return; // it may have been in flight when the stream ended
    }
    if (increment == 0) {
      refuseStream(number, Http2Error.PROTOCOL_ERROR);
    } else if (!stream.widen(increment)) {
      refuseStream(number, Http2Error.FLOW_CONTROL_ERROR);
    }
  }
}
