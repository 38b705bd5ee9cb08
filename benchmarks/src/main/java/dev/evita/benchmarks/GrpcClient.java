// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client of gRPC that allocates nothing per call: one connection of h2c, blocking, one call after
 * the other, each the same bytes but for the number of its stream and, where it varies, the key. So
 * what is counted is the server's.
 *
 * <p>Not thread-safe: one per thread.
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

  GrpcClient(int port, Ask ask) throws IOException {
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
    var varint = new String(new char[] {low(Ask.KEY), high(Ask.KEY)});
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
  private static byte[] fields(Ask ask) {
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

  /**
   * Calls, and reads the whole answer.
   *
   * @return how many bytes of messages came, their prefixes included
   */
  int send() throws IOException {
    if (key > 0) {
      var next = ThreadLocalRandom.current().nextInt(Ask.LEAST_KEY, Ask.MOST_KEY);
      call.put(key, (byte) low(next)).put(key + 1, (byte) high(next));
    }
    call.putInt(FRAME_HEAD - 4, stream).putInt(dataFrame + FRAME_HEAD - 4, stream).rewind();
    while (call.hasRemaining()) {
      channel.write(call);
    }
    var bytes = 0;
    answer.clear().flip();
    while (true) {
      need(FRAME_HEAD);
      var length = answer.getInt() >> 8;
      answer.position(answer.position() - 1);
      var type = answer.get();
      var flags = answer.get();
      var of = answer.getInt();
      need(length);
      answer.position(answer.position() + length);
      bytes += type == DATA ? length : 0;
      if (of == stream && type <= HEADERS && (flags & END_STREAM) != 0) {
        stream += 2;
        return bytes;
      }
    }
  }

  private void need(int bytes) throws IOException {
    while (answer.remaining() < bytes) {
      answer.compact();
      if (channel.read(answer) < 0) {
        throw new EOFException("the server closed the connection");
      }
      answer.flip();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
