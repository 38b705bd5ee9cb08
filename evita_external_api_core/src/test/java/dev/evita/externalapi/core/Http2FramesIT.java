// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many frames at once, partial frames, and responses that the socket does not accept. */
@Timeout(60)
final class Http2FramesIT {

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int REQUESTS = 1_000;
  private static final int WIDE = Integer.MAX_VALUE - 65_535;

  private final TestApi api = new TestApi();
  private final Map<Integer, Integer> bytes = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();

  private ExternalApiServer start() {
    return ExternalApiServer.over(new EmptyEngine())
        .options(
            ServerOptions.builder().ioThreads(1).workerThreads(2).workerQueue(REQUESTS).build())
        .provider(api)
        .withoutDiscovery()
        .start();
  }

  private static Socket connect(ExternalApiServer server, int receiveBuffer) throws IOException {
    var socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress("localhost", server.port()));
    return socket;
  }

  private static byte[] opening() {
    var to = new ByteArrayOutputStream();
    to.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    to.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    to.writeBytes(frame(WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(WIDE).array()));
    return to.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    var frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    return frame.put((byte) type).put((byte) flags).putInt(stream).put(payload).array();
  }

  /** A POST with a body in two frames. */
  private static byte[] post(int stream, String path, String body) {
    var half = body.length() / 2;
    var to = new ByteArrayOutputStream();
    to.writeBytes(frame(HEADERS, END_HEADERS, stream, head(3, path)));
    to.writeBytes(frame(DATA, 0, stream, ascii(body.substring(0, half))));
    to.writeBytes(frame(DATA, END_STREAM, stream, ascii(body.substring(half))));
    return to.toByteArray();
  }

  private static byte[] get(int stream, String path) {
    return frame(HEADERS, END_STREAM | END_HEADERS, stream, head(2, path));
  }

  /** Encodes fields by HPACK's static table: the method, http, path and authority. */
  private static byte[] head(int method, String path) {
    var fields = new ByteArrayOutputStream();
    fields.write(0x80 | method);
    fields.write(0x80 | 6);
    fields.write(4);
    fields.write(path.length());
    fields.writeBytes(ascii(path));
    fields.write(1);
    fields.write("localhost".length());
    fields.writeBytes(ascii("localhost"));
    return fields.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void readUntilEnded(DataInputStream in, int streams) throws IOException {
    while (ended.size() < streams) {
      var length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      var type = in.readUnsignedByte();
      var flags = in.readUnsignedByte();
      var stream = in.readInt();
      in.skipNBytes(length);
      if (type == DATA) {
        bytes.merge(stream, length, Integer::sum);
      }
      if (type <= HEADERS && (flags & END_STREAM) != 0) {
        ended.add(stream);
      }
    }
  }

  @Test
  void requests_splitAnywhere_getResponses() throws IOException {
    var length = post(1, "/echo", "hello").length;
    try (var server = start();
        var socket = connect(server, 0)) {
      var out = socket.getOutputStream();
      var in = new DataInputStream(socket.getInputStream());
      out.write(opening());
      for (int cut = 1; cut < length; cut++) {
        // The second of two requests is cut, and its rest arrives after the response to the first.
        var first = post(4 * cut + 1, "/echo", "first");
        var second = post(4 * cut + 3, "/echo", "second");
        out.write(first);
        out.write(Arrays.copyOf(second, cut));
        readUntilEnded(in, 2 * cut - 1);
        out.write(second, cut, second.length - cut);
        readUntilEnded(in, 2 * cut);
        assertThat(bytes).containsEntry(4 * cut + 1, 5).containsEntry(4 * cut + 3, 6);
      }
    }
  }

  @Test
  void requests_hundredInOneWrite_allGetResponses() throws IOException {
    try (var server = start();
        var socket = connect(server, 0)) {
      var all = new ByteArrayOutputStream();
      all.writeBytes(opening());
      for (int i = 0; i < 100; i++) {
        all.writeBytes(post(2 * i + 1, i % 2 == 0 ? "/echo" : "/work", "x".repeat(i)));
      }
      socket.getOutputStream().write(all.toByteArray());
      readUntilEnded(new DataInputStream(socket.getInputStream()), 100);
      for (int i = 1; i < 100; i++) {
        assertThat(bytes).containsEntry(2 * i + 1, i);
      }
    }
  }

  /** The queue exceeds all buffers on the path, and each response is small. */
  @Test
  void client_readingLate_getsAllResponses() throws IOException {
    var rows = 70;
    try (var server = start();
        var socket = connect(server, 4_096)) {
      var all = new ByteArrayOutputStream();
      all.writeBytes(opening());
      for (int i = 0; i < REQUESTS; i++) {
        all.writeBytes(get(2 * i + 1, "/rows?n=" + rows));
      }
      socket.getOutputStream().write(all.toByteArray());
      readUntilEnded(new DataInputStream(socket.getInputStream()), REQUESTS);
      assertThat(bytes.values()).hasSize(REQUESTS).containsOnly(bytes.get(1));
    }
  }

  @Test
  void client_neverReading_doesNotBlockTheServer() throws IOException {
    try (var server = start();
        var deaf = connect(server, 4_096);
        var other = connect(server, 0)) {
      var all = new ByteArrayOutputStream();
      all.writeBytes(opening());
      for (int i = 0; i < 500; i++) {
        all.writeBytes(get(2 * i + 1, "/rows?n=20000"));
      }
      deaf.getOutputStream().write(all.toByteArray());
      other.getOutputStream().write(opening());
      other.getOutputStream().write(post(1, "/echo", "hello"));
      readUntilEnded(new DataInputStream(other.getInputStream()), 1);
      assertThat(bytes).containsEntry(1, 5);
    }
  }
}
