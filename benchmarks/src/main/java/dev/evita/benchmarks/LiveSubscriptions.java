// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What an idle subscription costs the server, and how long after a commit the last of a thousand
 * subscribers knows. Each subscription has a WebSocket of its own, and all ask for different rows.
 *
 * <p>Arguments: subscriptions, how many of them the commit touches, rounds. Needs {@code ulimit -n}
 * beyond the number of subscriptions.
 */
final class LiveSubscriptions implements AutoCloseable {

  private static final String HANDSHAKE =
      """
      GET /graphql HTTP/1.1\r
      Host: localhost\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Protocol: graphql-transport-ws\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;
  private static final String MUTATION =
      "{\"query\":\"mutation { update_products(where: {}, _inc: {stock: 1}) { affected_rows } }\"}";

  private final Process server;
  private final PrintWriter ask;
  private final BufferedReader answers;
  private final int port;
  private final List<SocketChannel> sockets = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(4 << 10);

  private LiveSubscriptions() throws IOException {
    server =
        ChildProcesses.add(
            new ProcessBuilder(
                    ServerProcess.javaHere(
                        ServerProcess.Cores.ALL, LiveServer.class.getName(), List.of("-Xmx1g")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    ask = new PrintWriter(new OutputStreamWriter(server.getOutputStream(), StandardCharsets.UTF_8));
    answers =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    port = Integer.parseInt(answers.readLine());
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
    try (var run = new LiveSubscriptions()) {
      run.measure(numbers[0], numbers[1], numbers[2]);
    }
  }

  private void measure(int all, int touched, int rounds) throws IOException, InterruptedException {
    for (int i = 0; i < 100; i++) {
      subscribe("brands", i + 1).close(); // classes, buffers and threads are there afterwards
    }
    var before = memory();
    for (int i = 0; i < all; i++) {
      sockets.add(subscribe(i < touched ? "products" : "brands", i + 1));
    }
    var after = memory();
    System.out.printf(
        Locale.ROOT,
        "%n%d subscriptions on %d WebSockets: %.1f KB of heap, %.1f KB of direct memory and"
            + " %.1f KB resident each%n",
        all,
        sockets.size(),
        perEach(after[0] - before[0], all),
        perEach(after[1] - before[1], all),
        perEach(after[2] - before[2], all));
    for (int i = 0; i < rounds; i++) {
      System.out.printf(
          Locale.ROOT, "the last of %d was told after %.0f ms%n", touched, fanOut(touched) / 1e6);
    }
  }

  private static double perEach(long bytes, int all) {
    return bytes / 1024.0 / all;
  }

  private long[] memory() throws IOException {
    ask.println();
    ask.flush();
    return Arrays.stream(answers.readLine().split(" ")).mapToLong(Long::parseLong).toArray();
  }

  private SocketChannel subscribe(String table, int id) throws IOException {
    var socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.write(ByteBuffer.wrap(HANDSHAKE.getBytes(StandardCharsets.US_ASCII)));
    readUntil(socket, "\r\n\r\n");
    socket.write(frame("{\"type\":\"connection_init\"}"));
    readUntil(socket, "connection_ack");
    var document =
        "subscription($id: Int!) { row: " + table + "_by_pk(id: $id) { " + columns(table) + " } }";
    socket.write(
        frame(
            "{\"id\":\"1\",\"type\":\"subscribe\",\"payload\":{\"query\":\""
                + document
                + "\",\"variables\":{\"id\":"
                + id
                + "}}}"));
    readUntil(socket, "\"next\"");
    return socket;
  }

  private static String columns(String table) {
    return table.equals("products") ? "id name stock" : "id name";
  }

  private void readUntil(SocketChannel socket, String end) throws IOException {
    var text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      buffer.clear();
      if (socket.read(buffer) < 0) {
        throw new IOException("the server closed the connection after " + text);
      }
      text.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
    }
  }

  /** A masked frame of text; the mask is zero, which changes nothing. */
  private static ByteBuffer frame(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var frame = ByteBuffer.allocate(bytes.length + 8);
    frame.put((byte) 0x81);
    if (bytes.length < 126) {
      frame.put((byte) (0x80 | bytes.length));
    } else {
      frame.put((byte) (0x80 | 126)).putShort((short) bytes.length);
    }
    return frame.putInt(0).put(bytes).flip();
  }

  /** From before the mutation is sent to the last subscriber's first byte. */
  private long fanOut(int touched) throws IOException, InterruptedException {
    try (var selector = Selector.open();
        var http = HttpClient.newHttpClient()) {
      for (var socket : sockets.subList(0, touched)) {
        socket.configureBlocking(false);
        socket.register(selector, SelectionKey.OP_READ);
      }
      var mutation =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/graphql"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(MUTATION))
              .build();
      var start = System.nanoTime();
      var answer = http.sendAsync(mutation, HttpResponse.BodyHandlers.ofString());
      for (int told = 0; told < touched; ) {
        selector.select();
        for (var key : selector.selectedKeys()) {
          told += told(key) ? 1 : 0;
        }
        selector.selectedKeys().clear();
      }
      var taken = System.nanoTime() - start;
      if (!answer.join().body().contains("\"affected_rows\":1000")) {
        throw new IOException("the mutation was answered " + answer.join().body());
      }
      return taken;
    }
  }

  /** Whether this was a result, and no ping. */
  private boolean told(SelectionKey key) throws IOException {
    buffer.clear();
    var count = ((SocketChannel) key.channel()).read(buffer);
    if (count < 0) {
      throw new IOException("the server closed a connection");
    }
    if (count > 16) {
      key.cancel();
    }
    return count > 16;
  }

  @Override
  public void close() throws IOException {
    server.destroyForcibly();
    for (var socket : sockets) {
      socket.close();
    }
  }
}
