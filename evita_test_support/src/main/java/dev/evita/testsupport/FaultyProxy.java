// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * Forwards connections within the loopback interface, and damages them on demand. Thread-safe; two
 * virtual threads per connection.
 */
public final class FaultyProxy implements AutoCloseable {

  /** The handling of bytes. */
  public enum Mode {
    /** They are forwarded. */
    FORWARD,
    /** Each piece is delayed by up to 300 ms. */
    DELAY,
    /** Bytes are lost; the affected connections are reset when the mode changes. */
    DISCARD
  }

  /** The point at which an armed connection is cut. */
  public enum Cut {
    /** Before the trigger is forwarded. */
    REQUEST,
    /** After the trigger was forwarded and the response has arrived, which is not forwarded. */
    ANSWER
  }

  /** The trigger of a cut. */
  public enum Trigger {
    /** Any bytes from a client. */
    ANY_REQUEST,
    /** A COMMIT in PostgreSQL's protocol, by its text or by the statement prepared from it. */
    POSTGRES_COMMIT
  }

  private static final int LONGEST_DELAY_MILLIS = 300;
  private static final Pattern PARSED_COMMIT = Pattern.compile("(S_\\d+)?\0COMMIT\0");

  private final int target;
  private final Trigger trigger;
  private final ServerSocket listener;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger armedRequests = new AtomicInteger();
  private final AtomicInteger armedAnswers = new AtomicInteger();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger damaged = new AtomicInteger();
  private volatile Mode mode = Mode.FORWARD;

  private FaultyProxy(int target, Trigger trigger, ServerSocket listener) {
    this.target = target;
    this.trigger = trigger;
    this.listener = listener;
  }

  /** Starts a proxy to this port of the loopback interface. */
  public static FaultyProxy start(int target, Trigger trigger) throws IOException {
    var listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    var proxy = new FaultyProxy(target, trigger, listener);
    Thread.ofVirtual().start(proxy::accept);
    return proxy;
  }

  /** The port that it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Changes the mode of all connections, including open ones.
   *
   * @return the number of pieces delayed or lost in the previous mode
   */
  public int mode(Mode next) {
    mode = next;
    if (next != Mode.DISCARD) {
      connections.stream().filter(each -> each.lossy).forEach(Connection::reset);
    }
    return damaged.getAndSet(0);
  }

  /**
   * Resets every open connection.
   *
   * @return the number of connections
   */
  public int cutAll() {
    var open = List.copyOf(connections);
    open.forEach(Connection::reset);
    return open.size();
  }

  /** Arms cuts at the next triggers; replaces earlier ones. */
  public void arm(Cut cut, int times) {
    cuts.set(0);
    arms(cut, times);
  }

  private void arms(Cut cut, int times) {
    armedRequests.set(cut == Cut.REQUEST ? times : 0);
    armedAnswers.set(cut == Cut.ANSWER ? times : 0);
  }

  /**
   * Disarms cuts.
   *
   * @return the number of connections cut since they were armed
   */
  public int disarm() {
    arms(Cut.REQUEST, 0);
    return cuts.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var client = listener.accept();
        Thread.ofVirtual().start(() -> open(client));
      } catch (IOException e) {
        // Closed, or the client disconnected before it was accepted.
      }
    }
  }

  private void open(Socket client) {
    try {
      var server = new Socket();
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 2000);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      var connection = new Connection(client, server);
      connections.add(connection);
      Thread.ofVirtual().start(() -> connection.pump(server, client, false));
      connection.pump(client, server, true);
    } catch (IOException e) {
      resetQuietly(client);
    }
  }

  private static void resetQuietly(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Closed by its peer.
    }
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be closed.
    }
  }

  private static boolean take(AtomicInteger armed) {
    return armed.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      // It accepts no further connections.
    }
    mode = Mode.FORWARD;
    cutAll();
  }

  /** One client and its connection to the target. */
  private final class Connection {

    private final Socket client;
    private final Socket server;
    private volatile boolean lossy;
    private volatile boolean cutAnswer;
    private String committing = "";

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void pump(Socket from, Socket to, boolean upwards) {
      var buffer = new byte[1 << 14];
      try {
        var in = from.getInputStream();
        var out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (waitForMode()) {
            continue;
          }
          if (upwards ? cutsRequest(buffer, read) : cutAnswer) {
            cuts.incrementAndGet();
            reset();
            return;
          }
          out.write(buffer, 0, read);
        }
        closeQuietly(to);
        closeQuietly(from);
      } catch (IOException e) {
        reset();
      } finally {
        connections.remove(this);
      }
    }

    /** Returns whether the current bytes are lost. */
    private boolean waitForMode() {
      if (mode == Mode.DELAY) {
        var millis = ThreadLocalRandom.current().nextInt(LONGEST_DELAY_MILLIS);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
      }
      if (mode == Mode.DISCARD) {
        lossy = true;
      }
      if (lossy || mode == Mode.DELAY) {
        damaged.incrementAndGet();
      }
      return lossy;
    }

    private boolean cutsRequest(byte[] bytes, int length) {
      if (trigger == Trigger.POSTGRES_COMMIT && !hasCommit(bytes, length)) {
        return false;
      }
      if (take(armedRequests)) {
        return true;
      }
      cutAnswer = cutAnswer || take(armedAnswers);
      return false;
    }

    /** The driver sends whole messages, so that the text is in one piece. */
    private boolean hasCommit(byte[] bytes, int length) {
      var text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
      var parsed = PARSED_COMMIT.matcher(text);
      if (parsed.find()) {
        if (parsed.group(1) != null) {
          committing = "\0" + parsed.group(1) + "\0";
        }
        return true;
      }
      return !committing.isEmpty() && text.contains(committing);
    }

    void reset() {
      connections.remove(this);
      resetQuietly(client);
      resetQuietly(server);
    }
  }
}
