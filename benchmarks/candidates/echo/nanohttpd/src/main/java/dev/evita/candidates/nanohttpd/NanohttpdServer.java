// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.nanohttpd;

import dev.evita.candidates.graphql.EchoGraphQl;
import fi.iki.elonen.NanoHTTPD;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;

/** NanoHTTPD, which gives each connection a thread. */
public final class NanohttpdServer extends NanoHTTPD {

  private final EchoGraphQl graphQl = EchoGraphQl.create();

  private NanohttpdServer(int port) {
    super("127.0.0.1", port);
  }

  public static void main(String[] arguments) throws IOException {
    var server = new NanohttpdServer(Integer.getInteger("port"));
    server.setServerSocketFactory(UndelayedServerSocket::new);
    server.start(SOCKET_READ_TIMEOUT, false);
  }

  @Override
  public Response serve(IHTTPSession session) {
    if (!session.getUri().equals("/graphql") || session.getMethod() != Method.POST) {
      return newFixedLengthResponse(Response.Status.NOT_FOUND, MIME_PLAINTEXT, "");
    }
    var answer = graphQl.answer(body(session));
    return newFixedLengthResponse(
        Response.Status.OK, "application/json", new ByteArrayInputStream(answer), answer.length);
  }

  /** NanoHTTPD itself would read a body in US-ASCII, for the sake of forms. */
  private static byte[] body(IHTTPSession session) {
    var length = Integer.parseInt(session.getHeaders().get("content-length"));
    try {
      return session.getInputStream().readNBytes(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * NanoHTTPD writes head and body one by one, and leaves Nagle's algorithm on, as no other
   * candidate does: each body would wait 40 ms until the client has acknowledged its head.
   */
  private static final class UndelayedServerSocket extends ServerSocket {

    private UndelayedServerSocket() throws IOException {}

    @Override
    public Socket accept() throws IOException {
      var socket = super.accept();
      socket.setTcpNoDelay(true);
      return socket;
    }
  }
}
