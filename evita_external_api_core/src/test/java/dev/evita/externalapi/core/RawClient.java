// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** A client that sends exactly the given bytes, valid or not. */
public final class RawClient implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 3_000;
  private static final int PIECE = 8_192;

  private final Socket socket;

  private RawClient(Socket socket) {
    this.socket = socket;
  }

  public static RawClient connect(int port) {
    return connect(port, 0);
  }

  /**
   * Connects.
   *
   * @param receiveBuffer the kernel's receive buffer of a client that does not read; 0 for the
   *     default
   */
  public static RawClient connect(int port, int receiveBuffer) {
    try {
      var socket = new Socket();
      if (receiveBuffer > 0) {
        socket.setReceiveBufferSize(receiveBuffer);
      }
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      return new RawClient(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects by TLS, trusting any certificate. */
  static RawClient connectTls(int port) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAll()}, null);
      var plain = connect(port).socket;
      var socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", port, true);
      socket.startHandshake();
      return new RawClient(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until bytes of the server have arrived, without reading them. */
  void awaitInput() {
    await().until(() -> socket.getInputStream().available() > 0);
  }

  public RawClient send(String text) {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawClient send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends in pieces, so that the later ones arrive after the server has responded. */
  RawClient sendInPieces(String text) {
    for (int i = 0; i < text.length(); i += PIECE) {
      send(text.substring(i, Math.min(i + PIECE, text.length())));
    }
    return this;
  }

  /** Half-closes the connection: sends no more, but still reads. */
  RawClient finish() {
    try {
      socket.shutdownOutput();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the connection by a reset, so that the server finds no input. */
  void reset() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one response with a Content-Length, or the chunks of one without. */
  Answer read() {
    try {
      var in = socket.getInputStream();
      var head = head(in);
      if (head.isEmpty()) {
        return new Answer("", "");
      }
      var lower = head.toLowerCase(Locale.ROOT);
      if (lower.contains("transfer-encoding: chunked")) {
        return new Answer(head, chunks(in));
      }
      var at = lower.indexOf("content-length: ");
      var end = lower.indexOf("\r\n", at);
      var length = at < 0 ? 0 : Integer.parseInt(lower.substring(at + 16, end));
      return new Answer(head, text(in.readNBytes(length)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the head of a response that has no body, whatever its head declares. */
  public String readHead() {
    try {
      return head(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until the server closes the connection; a reset counts as the end. */
  String readToEnd() {
    var all = new ByteArrayOutputStream();
    try {
      var in = socket.getInputStream();
      var buffer = new byte[8_192];
      for (int count; (count = in.read(buffer)) >= 0; ) {
        all.write(buffer, 0, count);
      }
    } catch (SocketException e) {
      return text(all.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException("not closed; so far: " + text(all.toByteArray()), e);
    }
    return text(all.toByteArray());
  }

  private static String head(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    while (!text(head.toByteArray()).endsWith("\r\n\r\n")) {
      var next = in.read();
      if (next < 0) {
        break;
      }
      head.write(next);
    }
    return text(head.toByteArray());
  }

  private static String chunks(InputStream in) throws IOException {
    var body = new StringBuilder();
    while (true) {
      var size = Integer.parseInt(line(in), 16);
      body.append(text(in.readNBytes(size)));
      line(in);
      if (size == 0) {
        return body.toString();
      }
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next; (next = in.read()) != '\n'; ) {
      if (next < 0) {
        throw new IOException("the response was aborted after '" + line + "'");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A response as received. */
  record Answer(String head, String body) {

    int status() {
      return head.isEmpty() ? 0 : Integer.parseInt(head.substring(9, 12));
    }

    boolean has(String header) {
      return head.toLowerCase(Locale.ROOT).contains("\r\n" + header.toLowerCase(Locale.ROOT));
    }
  }
}
