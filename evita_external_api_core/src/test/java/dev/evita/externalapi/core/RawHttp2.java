// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A client of HTTP/2 without TLS (RFC 9113) that gives the server exactly as much window as it is
 * told to, where all others give it freely.
 */
final class RawHttp2 implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 10_000;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int ACK = 1;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final Socket socket;
  private final DataInputStream in;
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private boolean ended;

  private RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
  }

  /**
   * Connects.
   *
   * @param window the bytes that a stream may send at first
   */
  static RawHttp2 connect(int port, int window) {
    try {
      var socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      var client = new RawHttp2(socket);
      socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
      var setting = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window);
      client.frame(SETTINGS, 0, 0, setting.array());
      return client;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    var frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  /** Asks for a resource on the stream 1. */
  RawHttp2 get(String path) {
    var fields = new ByteArrayOutputStream();
    fields.write(0x80 | 2); // :method GET
    fields.write(0x80 | 6); // :scheme http
    literal(fields, 4, path);
    literal(fields, 1, "localhost");
    try {
      frame(HEADERS, END_STREAM | END_HEADERS, 1, fields.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** A field of HPACK's static table (RFC 7541, section 6.2.2) with a value of its own. */
  private static void literal(ByteArrayOutputStream to, int name, String value) {
    to.write(name);
    to.write(value.length());
    to.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** Lets the server send more on the stream 1. */
  RawHttp2 allow(int bytes) {
    try {
      var increment = ByteBuffer.allocate(4).putInt(bytes).array();
      frame(WINDOW_UPDATE, 0, 1, increment);
      frame(WINDOW_UPDATE, 0, 0, increment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /**
   * Reads until so many bytes of data have come in all, or the stream has ended, and answers what
   * has come.
   */
  String read(int bytes) {
    try {
      while (data.size() < bytes && !ended) {
        readFrame();
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("nothing came any more after: " + text(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text();
  }

  private String text() {
    return data.toString(StandardCharsets.UTF_8);
  }

  private void readFrame() throws IOException {
    var length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    var type = in.readUnsignedByte();
    var flags = in.readUnsignedByte();
    in.readInt();
    var payload = in.readNBytes(length);
    if (type == DATA) {
      data.writeBytes(payload);
    } else if (type == SETTINGS && flags != ACK) {
      frame(SETTINGS, ACK, 0, new byte[0]);
    }
    ended |= type <= HEADERS && (flags & END_STREAM) != 0;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
