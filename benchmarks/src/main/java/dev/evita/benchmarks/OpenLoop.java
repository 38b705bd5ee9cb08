// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Asks at a fixed rate, whether answers come or not, and tells how long they took <em>since they
 * were due</em>: a server that stands still for a moment is charged for all that would have been
 * asked meanwhile. {@code wrk} and {@code h2load} wait for an answer before they ask again, and so
 * leave that out.
 *
 * <p>One thread, which never sleeps. A request that is due waits for a connection where all are
 * busy. A server may close a connection after an answer: another is opened, in the request's time.
 */
final class OpenLoop {

  private static final int READ_BYTES = 4096;
  private static final byte[] END = "\"hello\"}}}".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END_OF_CHUNKS = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final long intervalNanos;
  private final ByteBuffer request;
  private final Selector selector = Selector.open();
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final Histogram histogram = new Histogram(LONGEST_NANOS, 3);
  private long measureFrom;
  private long answered;

  private OpenLoop(int port, int perSecond, int connections) throws IOException {
    intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    var text = Contestant.QUERY.text().getBytes(StandardCharsets.US_ASCII);
    request = ByteBuffer.allocateDirect(text.length).put(text).flip();
    for (int i = 0; i < connections; i++) {
      idle.add(new Connection(port));
    }
  }

  /**
   * Arguments: port, requests per second, connections, seconds to warm up, seconds. Prints the rate
   * that was answered, and p50, p99 and p99.9 in microseconds.
   */
  public static void main(String[] arguments) throws IOException {
    var numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
    var loop = new OpenLoop(numbers[0], numbers[1], numbers[2]);
    loop.run(numbers[3], numbers[4]);
    System.out.printf(
        Locale.ROOT,
        "%.0f %.1f %.1f %.1f%n",
        (double) loop.answered / numbers[4],
        loop.percentileMicros(50),
        loop.percentileMicros(99),
        loop.percentileMicros(99.9));
  }

  private double percentileMicros(double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e3;
  }

  private void run(int warmUpSeconds, int seconds) throws IOException {
    var due = System.nanoTime();
    measureFrom = due + TimeUnit.SECONDS.toNanos(warmUpSeconds);
    var end = measureFrom + TimeUnit.SECONDS.toNanos(seconds);
    while (due < end) {
      var now = System.nanoTime();
      while (due <= now && due < end && !idle.isEmpty()) {
        idle.remove().ask(due);
        due += intervalNanos;
      }
      selector.selectNow(this::read);
      if (now > end) {
        // What was due and never asked has waited until now, at least.
        for (; due < end; due += intervalNanos) {
          record(due, now);
        }
      }
    }
    for (var key : selector.keys()) {
      ((Connection) key.attachment()).giveUp(end);
    }
  }

  private void record(long due, long now) {
    if (due >= measureFrom) {
      histogram.recordValue(Math.min(now - due, LONGEST_NANOS));
    }
  }

  private void read(SelectionKey key) {
    try {
      ((Connection) key.attachment()).read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Connection {

    private final int port;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(READ_BYTES);
    private final ByteBuffer toSend = request.duplicate();
    private SocketChannel channel;
    private long due;
    private boolean asked;
    private byte @Nullable [] end;

    Connection(int port) throws IOException {
      this.port = port;
      this.channel = open();
    }

    private SocketChannel open() throws IOException {
      var opened = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      opened.configureBlocking(false);
      opened.register(selector, SelectionKey.OP_READ, this);
      return opened;
    }

    void ask(long dueNanos) throws IOException {
      due = dueNanos;
      asked = true;
      send();
    }

    private void send() throws IOException {
      try {
        // A few hundred bytes into an empty socket buffer: they go at once.
        if (channel.write(toSend.rewind()) == toSend.limit()) {
          return;
        }
      } catch (IOException e) {
        // Closed by the server, which the next reading would have told.
      }
      again();
    }

    /** Closed by the server, as some do after so many requests. */
    private void again() throws IOException {
      channel.close();
      answer.clear();
      channel = open();
      if (asked && channel.write(toSend.rewind()) != toSend.limit()) {
        throw new IOException("a new connection takes no request");
      }
    }

    private boolean ended() {
      try {
        return channel.read(answer) < 0;
      } catch (IOException e) {
        return true;
      }
    }

    void read() throws IOException {
      if (ended()) {
        again();
        return;
      }
      if (end == null) {
        end = learn();
      }
      if (end != null && endsWith(answer.position(), end)) {
        answer.clear();
        asked = false;
        var now = System.nanoTime();
        record(due, now);
        if (due >= measureFrom) {
          answered++;
        }
        idle.add(this);
      }
    }

    /** The end of responses of this server; null until the first head has arrived. */
    private byte @Nullable [] learn() {
      var bytes = new byte[answer.position()];
      answer.duplicate().flip().get(bytes);
      var text = new String(bytes, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
      if (!text.contains("\r\n\r\n")) {
        return null;
      }
      return text.contains("\r\ntransfer-encoding: chunked\r\n") ? END_OF_CHUNKS : END;
    }

    private boolean endsWith(int length, byte[] end) {
      if (length < end.length) {
        return false;
      }
      for (int i = 0; i < end.length; i++) {
        if (answer.get(length - end.length + i) != end[i]) {
          return false;
        }
      }
      return true;
    }

    /** It has had its time. */
    void giveUp(long now) {
      if (asked) {
        record(due, now);
      }
    }
  }
}
