// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The floor: what the operating system takes for a request and its answer. No HTTP: it takes
 * whatever one read brings for a request, and answers the echo query's bytes. No server on sockets
 * can be faster.
 */
final class FloorServer {

  private static final String ANSWER =
      """
      HTTP/1.1 200 OK\r
      content-type: application/json\r
      content-length: 37\r
      date: Sat, 21 Nov 2026 12:00:00 GMT\r
      \r
      {"data":{"echo":{"message":"hello"}}}\
      """;

  private FloorServer() {}

  public static void main(String[] arguments) throws IOException {
    var answer = ByteBuffer.allocateDirect(ANSWER.length());
    answer.put(ANSWER.getBytes(StandardCharsets.US_ASCII)).flip();
    var request = ByteBuffer.allocateDirect(16_384);
    var selector = Selector.open();
    var server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
    while (true) {
      selector.select(key -> {
        try {
          if (key.isAcceptable()) {
            accept(server, selector);
          } else {
            answer((SocketChannel) key.channel(), request, answer);
          }
        } catch (IOException e) {
          key.cancel();
        }
      });
    }
  }

  private static void accept(ServerSocketChannel server, Selector selector) throws IOException {
    var client = server.accept();
    client.configureBlocking(false);
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    client.register(selector, SelectionKey.OP_READ);
  }

  private static void answer(SocketChannel client, ByteBuffer request, ByteBuffer answer)
      throws IOException {
    if (client.read(request.clear()) < 0) {
      client.close();
    } else {
      client.write(answer.rewind());
    }
  }
}
