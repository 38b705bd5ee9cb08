// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.testsupport.NodeProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of {@code live-clients} in a process of its own; see {@code client.mjs}. */
final class NodeClient implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 30;

  private static final String PONG = "{\"pong\":true}";

  private final Process process;
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final CountDownLatch pong = new CountDownLatch(1);

  /**
   * Starts it.
   *
   * @param protocol {@code ws} or {@code sse}
   * @param instead what the WebSocket sends instead of a message, by its type, as JSON
   */
  NodeClient(NodeProject project, String protocol, LiveServer live, String instead)
      throws IOException {
    var scheme = protocol.equals("ws") ? "ws" : "http";
    var url = live.endpoint().toString().replaceFirst("^http", scheme);
    this.process = project.start("node", "client.mjs", protocol, url, instead);
    var unused = Thread.ofPlatform().daemon().start(() -> read(process.inputReader()));
  }

  private void read(BufferedReader lines) {
    lines
        .lines()
        .forEach(line -> {
          if (line.equals(PONG)) {
            pong.countDown(); // comes at any time, and again and again
          } else {
            told.add(line);
          }
        });
  }

  /** Waits for the server's pong. */
  void awaitPong() throws InterruptedException {
    if (!pong.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("no pong came");
    }
  }

  /** Returns the close event as JSON; earlier messages are skipped. */
  String closed() throws InterruptedException {
    var line = next();
    while (!line.startsWith("{\"closed\"")) {
      line = next();
    }
    return line;
  }

  NodeClient subscribe(String id, String document) {
    return say("{\"subscribe\":\"" + id + "\",\"query\":" + Client.quoted(document) + "}");
  }

  NodeClient dispose(String id) {
    return say("{\"dispose\":\"" + id + "\"}");
  }

  private NodeClient say(String command) {
    try {
      var to = process.outputWriter();
      to.write(command + "\n");
      to.flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the next message. */
  String next() throws InterruptedException {
    var line = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("the client was told nothing");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
