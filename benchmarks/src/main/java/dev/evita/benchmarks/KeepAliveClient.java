// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A client that allocates nothing per request and costs little: one connection, blocking, HTTP/1.1,
 * and answers with a {@code Content-Length} only. So what the {@code gc} profiler counts is the
 * server's.
 *
 * <p>Not thread-safe: one per thread.
 */
final class KeepAliveClient implements AutoCloseable {

  private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final SocketChannel channel;
  private final ByteBuffer request;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(1 << 20);

  KeepAliveClient(int port, HttpProbe ask) throws IOException {
    channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
    channel.socket().setTcpNoDelay(true);
    var text = ask.text();
    request = ByteBuffer.allocateDirect(text.length());
    request.put(text.getBytes(StandardCharsets.US_ASCII)).flip();
  }

  /**
   * Sends the request and reads the whole answer.
   *
   * @return how many bytes the body has
   * @throws IOException if the status is not 200
   */
  int send() throws IOException {
    request.rewind();
    while (request.hasRemaining()) {
      channel.write(request);
    }
    answer.clear();
    var end = -1;
    while (end < 0 || answer.position() < end) {
      if (channel.read(answer) < 0) {
        throw new EOFException("the server closed the connection");
      }
      end = end < 0 ? endOfAnswer() : end;
    }
    return end;
  }

  /** The body of the last answer. */
  String text() {
    var copy = new byte[answer.position()];
    answer.duplicate().flip().get(copy);
    var text = new String(copy, StandardCharsets.UTF_8);
    return text.substring(text.indexOf("\r\n\r\n") + 4);
  }

  /** The end of the response in the buffer; -1 while its head is incomplete. */
  private int endOfAnswer() throws IOException {
    var length = -1;
    for (int i = 0; i + 3 < answer.position(); i++) {
      if (answer.get(i) != '\r') {
        continue;
      }
      if (answer.get(i + 2) == '\r') {
        requireOk();
        return i + 4 + length;
      }
      if (matches(i + 2, LENGTH)) {
        length = number(i + 2 + LENGTH.length);
      }
    }
    return -1;
  }

  private void requireOk() throws IOException {
    if (!matches(0, OK)) {
      throw new IOException("not 200: " + text());
    }
  }

  private boolean matches(int offset, byte[] expected) {
    if (offset + expected.length > answer.position()) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if (Character.toLowerCase(answer.get(offset + i)) != Character.toLowerCase(expected[i])) {
        return false;
      }
    }
    return true;
  }

  private int number(int offset) {
    var value = 0;
    for (int i = offset; i < answer.position() && Character.isDigit(answer.get(i)); i++) {
      value = value * 10 + answer.get(i) - '0';
    }
    return value;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
