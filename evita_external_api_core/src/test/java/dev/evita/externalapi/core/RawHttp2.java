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
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 client (RFC 9113) that grants the server exactly the given window, where other clients
 * grant it freely.
 */
final class RawHttp2 implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 10_000;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int ACK = 1;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final Socket socket;
  private final DataInputStream in;
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private final Set<String> seen = new HashSet<>();
  private final Set<Integer> statuses = new HashSet<>();
  private boolean answersPings = true;
  private long credit;
  private int pings;
  private boolean ended;

  private RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
  }

  /**
   * Connects.
   *
   * @param window the initial window of a stream, in bytes
   */
  static RawHttp2 connect(int port, int window) {
    try {
      return over(new Socket(InetAddress.getLoopbackAddress(), port), window);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects by TLS, trusting any certificate. */
  static RawHttp2 connectTls(int port, int window) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAll()}, null);
      var host = InetAddress.getLoopbackAddress().getHostName();
      var socket = (SSLSocket) context.getSocketFactory().createSocket(host, port);
      var parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return over(socket, window);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RawHttp2 over(Socket socket, int window) {
    try {
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

  /** Stops sending frames automatically. */
  RawHttp2 mute() {
    answersPings = false;
    return this;
  }

  private RawHttp2 send(int type, int flags, int stream, byte[] payload) {
    try {
      frame(type, flags, stream, payload);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins a call of {@link CallApi}, whose body follows. */
  RawHttp2 call(int stream, String path) {
    return send(HEADERS, END_HEADERS, stream, post(path, CallApi.MEDIA_TYPE).toByteArray());
  }

  /** Begins a request that declares a body of this length. */
  RawHttp2 post(int stream, String path, String contentType, String contentLength) {
    var fields = post(path, contentType);
    later(fields, 28, contentLength);
    return send(HEADERS, END_HEADERS, stream, fields.toByteArray());
  }

  private static ByteArrayOutputStream post(String path, String contentType) {
    var fields = new ByteArrayOutputStream();
    fields.write(0x80 | 3); // :method POST
    fields.write(0x80 | 6); // :scheme http
    literal(fields, 4, path);
    literal(fields, 1, "localhost");
    later(fields, 31, contentType);
    return fields;
  }

  RawHttp2 data(int stream, int bytes, boolean last) {
    return send(DATA, last ? END_STREAM : 0, stream, new byte[bytes]);
  }

  RawHttp2 reset(int stream) {
    return send(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
  }

  RawHttp2 goAway() {
    return send(GOAWAY, 0, 0, new byte[8]);
  }

  /** Sends a frame of a type that HTTP/2 does not define, which the server ignores. */
  RawHttp2 unknownFrame(int bytes) {
    return send(0xff, 0, 0, new byte[bytes]);
  }

  RawHttp2 ping() {
    return send(PING, 0, 0, new byte[8]);
  }

  RawHttp2 settings() {
    return send(SETTINGS, 0, 0, new byte[0]);
  }

  /** Raises the windows of all streams. */
  RawHttp2 initialWindow(int bytes) {
    var setting = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(bytes);
    return send(SETTINGS, 0, 0, setting.array());
  }

  /**
   * Requests a resource with one more field, in a HEADERS frame and as many CONTINUATION frames as
   * needed.
   *
   * @param cut bytes of each frame
   */
  RawHttp2 getInPieces(int stream, String path, String value, int cut) {
    var fields = new ByteArrayOutputStream();
    fields.write(0x80 | 2); // :method GET
    fields.write(0x80 | 6); // :scheme http
    literal(fields, 4, path);
    literal(fields, 1, "localhost");
    fields.write(0);
    writeString(fields, "x-big");
    writeString(fields, value);
    var block = fields.toByteArray();
    for (int from = 0; from < block.length; from += cut) {
      var to = Math.min(from + cut, block.length);
      var flags = (from == 0 ? END_STREAM : 0) | (to == block.length ? END_HEADERS : 0);
      send(from == 0 ? HEADERS : CONTINUATION, flags, stream, Arrays.copyOfRange(block, from, to));
    }
    return this;
  }

  /** A string literal of HPACK without Huffman's code (RFC 7541, section 5.2). */
  private static void writeString(ByteArrayOutputStream to, String text) {
    if (text.length() < 127) {
      to.write(text.length());
    } else {
      to.write(127);
      var rest = text.length() - 127;
      for (; rest >= 128; rest >>>= 7) {
        to.write((rest & 127) | 128);
      }
      to.write(rest);
    }
    to.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Fills HPACK's table by one field, and refers to it as often as a frame permits. */
  RawHttp2 bomb(int stream) {
    var fields = new ByteArrayOutputStream();
    fields.write(0x80 | 2); // :method GET
    fields.write(0x80 | 6); // :scheme http
    literal(fields, 4, "/system/liveness");
    fields.write(0x40);
    writeString(fields, "x");
    writeString(fields, "y".repeat(4_000));
    for (int i = 0; i < 12_000; i++) {
      fields.write(0x80 | 62);
    }
    return send(HEADERS, END_STREAM | END_HEADERS, stream, fields.toByteArray());
  }

  /** Begins a head that is empty so far. */
  RawHttp2 headWithoutEnd(int stream) {
    return send(HEADERS, 0, stream, new byte[] {(byte) (0x80 | 3)});
  }

  /** Continues a head with fields of this size. */
  RawHttp2 continuation(int stream, int fields, int bytes) {
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < fields; i++) {
      block.write(0);
      block.write(1);
      block.write('x');
      block.write(bytes);
      block.writeBytes("y".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
    }
    return send(CONTINUATION, 0, stream, block.toByteArray());
  }

  /** Reads until this event, such as {@code RST_STREAM 3 7} or {@code GOAWAY 1 0}. */
  void await(String event) {
    try {
      while (!seen.contains(event)) {
        readFrame();
      }
    } catch (IOException e) {
      throw new AssertionError("'" + event + "' did not come, but " + seen, e);
    }
  }

  /** Reads until the server has returned this many bytes of the connection's window, in total. */
  void awaitCredit(long bytes) {
    try {
      while (credit < bytes) {
        readFrame();
      }
    } catch (IOException e) {
      throw new AssertionError(credit + " bytes came back, and " + seen, e);
    }
  }

  /** Reads until the server has sent this many pings. */
  void awaitPings(int number) throws IOException {
    while (pings < number) {
      readFrame();
    }
  }

  /** Reads until the server has closed the connection. */
  void awaitClosed() {
    try {
      while (true) {
        readFrame();
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection stays open", e);
    } catch (IOException e) {
      seen.add("closed");
    }
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    var frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  /** Requests a resource on stream 1. */
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

  /**
   * Requests a resource.
   *
   * @param authority null if none
   * @param host of the Host field; null if none
   */
  RawHttp2 get(int stream, String path, @Nullable String authority, @Nullable String host) {
    var fields = new ByteArrayOutputStream();
    fields.write(0x80 | 2); // :method GET
    fields.write(0x80 | 6); // :scheme http
    literal(fields, 4, path);
    if (authority != null) {
      literal(fields, 1, authority);
    }
    if (host != null) {
      later(fields, 38, host);
    }
    return send(HEADERS, END_STREAM | END_HEADERS, stream, fields.toByteArray());
  }

  /**
   * Encodes a field name of HPACK's static table (RFC 7541, section 6.2.2) with a literal value.
   */
  private static void literal(ByteArrayOutputStream to, int name, String value) {
    to.write(name);
    to.write(value.length());
    to.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** The same for a field beyond the 15th of the table. */
  private static void later(ByteArrayOutputStream to, int name, String value) {
    to.write(15);
    literal(to, name - 15, value);
  }

  /** Allows the server to send more on stream 1. */
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
   * Reads until this many bytes of data have arrived in total, or the stream has ended, and returns
   * the data.
   */
  String read(int bytes) {
    try {
      while (data.size() < bytes && !ended) {
        readFrame();
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("no further data after: " + text(), e);
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
    var stream = in.readInt();
    var payload = in.readNBytes(length);
    note(type, flags, stream, payload);
    if (type == DATA) {
      data.writeBytes(payload);
    } else if (type == SETTINGS && flags != ACK) {
      frame(SETTINGS, ACK, 0, new byte[0]);
    }
    ended |= type <= HEADERS && (flags & END_STREAM) != 0;
  }

  /** The field {@code :status}, which is the first (RFC 7541, appendix A). */
  private static int status(byte[] block) {
    return switch (block[0] & 0xff) {
      case 0x88 -> 200;
      case 0x89 -> 204;
      case 0x8c -> 400;
      case 0x8d -> 404;
      case 0x8e -> 500;
      default -> Integer.parseInt(new String(block, 2, 3, StandardCharsets.US_ASCII));
    };
  }

  private void note(int type, int flags, int stream, byte[] bytes) throws IOException {
    var payload = ByteBuffer.wrap(bytes);
    switch (type) {
      case HEADERS, DATA -> {
        if (type == HEADERS && statuses.add(stream)) {
          seen.add("STATUS " + stream + " " + status(bytes));
        }
        if ((flags & END_STREAM) != 0) {
          seen.add("END " + stream);
        }
      }
      case RST_STREAM -> seen.add("RST_STREAM " + stream + " " + payload.getInt());
      case GOAWAY -> seen.add("GOAWAY " + payload.getInt() + " " + payload.getInt());
      case WINDOW_UPDATE -> credit += stream == 0 ? payload.getInt() : 0;
      case PING -> {
        if (flags == ACK) {
          seen.add("PING ACK");
        } else {
          pings++;
          if (answersPings) {
            frame(PING, ACK, 0, bytes);
          }
        }
      }
      default -> {
        // irrelevant
      }
    }
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
