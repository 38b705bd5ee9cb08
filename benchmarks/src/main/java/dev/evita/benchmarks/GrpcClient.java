// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client of gRPC that allocates nothing per call: one connection of h2c, one call after the
 * other, each the same bytes but for the number of its stream and, where it varies, the key. So
 * what is counted is the server's. It blocks, unless it is {@link #register registered}.
 *
 * <p>Not thread-safe.
 */
final class GrpcClient implements AutoCloseable {

  private static final int FRAME_HEAD = 9;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final short INITIAL_WINDOW_SIZE = 4;
  private static final int WHOLE_WINDOW = Integer.MAX_VALUE - 65_535;

  private final SocketChannel channel;
  private final ByteBuffer call;
  private final int dataFrame;
  private final int key;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(1 << 16);
  private int stream = 1;
  private int answeredBytes;

  GrpcClient(int port, HttpProbe ask) throws IOException {
    channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
    channel.socket().setTcpNoDelay(true);
    var opening = ByteBuffer.allocate(256);
    opening.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    var window = ByteBuffer.allocate(6).putShort(INITIAL_WINDOW_SIZE).putInt(Integer.MAX_VALUE);
    frame(opening, SETTINGS, 0, 0, window.array());
    frame(opening, WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(WHOLE_WINDOW).array());
    channel.write(opening.flip());
    call = ByteBuffer.allocateDirect(512);
    frame(call, HEADERS, END_HEADERS, 1, fields(ask));
    dataFrame = call.position();
    var body = ask.body().getBytes(StandardCharsets.ISO_8859_1);
    frame(call, DATA, END_STREAM, 1, body);
    call.flip();
    key = ask.varies() ? dataFrame + FRAME_HEAD + keyIn(ask.body()) : 0;
  }

  private static void frame(ByteBuffer to, int type, int flags, int stream, byte[] payload) {
    to.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    to.put((byte) type).put((byte) flags).putInt(stream).put(payload);
  }

  private static int keyIn(String body) {
    var varint = new String(new char[] {low(HttpProbe.KEY), high(HttpProbe.KEY)});
    var at = body.indexOf(varint);
    if (at < 0 || body.indexOf(varint, at + 1) > 0) {
      throw new IllegalArgumentException("expected the key once in the message");
    }
    return at;
  }

  private static char low(int key) {
    return (char) (key & 0x7f | 0x80);
  }

  private static char high(int key) {
    return (char) (key >> 7);
  }

  /** Indexed where HPACK's static table (RFC 7541, appendix A) has the field, else literal. */
  private static byte[] fields(HttpProbe ask) {
    var fields = ByteBuffer.allocate(256);
    fields.put((byte) (0x80 | 3)); // :method POST
    fields.put((byte) (0x80 | 6)); // :scheme http
    value(fields.put((byte) 4), ask.target()); // :path
    value(fields.put((byte) 1), "localhost"); // :authority
    value(fields.put((byte) 0x0f).put((byte) (31 - 15)), "application/grpc"); // content-type
    fields.put((byte) 0);
    value(fields, "te");
    value(fields, "trailers");
    var bytes = new byte[fields.position()];
    fields.flip().get(bytes);
    return bytes;
  }

  private static void value(ByteBuffer to, String text) {
    to.put((byte) text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** From now on, {@link #call} and {@link #answered} do not block; a key's attachment is this. */
  void register(Selector selector) throws IOException {
    channel.configureBlocking(false).register(selector, SelectionKey.OP_READ, this);
  }

  /**
   * Calls, and reads the whole answer.
   *
   * @return how many bytes of messages came, their prefixes included
   */
  int send() throws IOException {
    call();
    while (!answered()) {
      // reads on
    }
    return answeredBytes;
  }

  /** Calls. The answer to the call before has been read. */
  void call() throws IOException {
    if (key > 0) {
      var next = ThreadLocalRandom.current().nextInt(HttpProbe.LEAST_KEY, HttpProbe.MOST_KEY);
      call.put(key, (byte) low(next)).put(key + 1, (byte) high(next));
    }
    call.putInt(FRAME_HEAD - 4, stream).putInt(dataFrame + FRAME_HEAD - 4, stream).rewind();
    while (call.hasRemaining()) {
      channel.write(call);
    }
    answeredBytes = 0;
  }

  /**
   * Reads what has come of the answer.
   *
   * @return whether it is complete
   * @throws EOFException if the server has closed the connection
   * @throws IOException if the answer is complete and has no message
   */
  boolean answered() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the server closed the connection");
    }
    answer.flip();
    var complete = false;
    while (answer.remaining() >= FRAME_HEAD) {
      var head = answer.position();
      var end = head + FRAME_HEAD + (answer.getInt(head) >>> 8);
      if (end > answer.limit()) {
        break;
      }
      var type = answer.get(head + 3);
      answeredBytes += type == DATA ? end - head - FRAME_HEAD : 0;
      complete |=
          type <= HEADERS
              && (answer.get(head + 4) & END_STREAM) != 0
              && answer.getInt(head + 5) == stream;
      answer.position(end);
    }
    answer.compact();
    if (complete) {
      stream += 2;
      if (answeredBytes == 0) {
        throw new IOException("the answer has no message");
      }
    }
    return complete;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
