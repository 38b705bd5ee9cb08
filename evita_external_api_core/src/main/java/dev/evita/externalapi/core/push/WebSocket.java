// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSourceChannel;

/**
 * A WebSocket (RFC 6455), the server's end.
 *
 * <p>While more than a few messages are queued, none is received: back-pressure for a client that
 * sends without reading. At each {@code heartbeat} it is pinged; one that sends nothing for three
 * of them is disconnected.
 *
 * <pre>
 * close frame of the client --> ours, with its code --> the connection is closed
 * close frame of ours     --> the client's          --> the connection is closed
 * protocol violation      --> ours, with the reason --> input is discarded for a second
 * </pre>
 */
public final class WebSocket extends PushChannel {

  /** The server is going away (RFC 6455, section 7.4.1). */
  public static final int GOING_AWAY = 1001;

  private static final int NORMAL = 1000;
  private static final int MOST_WAITING = 64;
  private static final int HEARTBEATS_UNTIL_GONE = 3;
  private static final int LONGEST_REASON = 120;
  private static final int READ_AT_ONCE = 4 << 10;

  /** Larger payloads are not copied behind their header. */
  private static final int MAX_COPIED = 16 << 10;

  private static final int FIN_TEXT = 0x81;
  private static final int FIN_CLOSE = 0x88;
  private static final int FIN_PING = 0x89;
  private static final int FIN_PONG = 0x8a;
  private static final byte[] EMPTY = {};

  /** Time for a client to read why its message was rejected, while it is still sending it. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final StreamConnection connection;
  private final @Nullable String protocol;
  private final WebSocketParser parser;
  private final Deque<ByteBuffer> queue = new ArrayDeque<>(2);
  private WebSocketListener listener = new NoListener();
  private volatile long receivedNanos;
  private volatile int code = GOING_AWAY;
  private volatile String reason = "";
  private boolean readsSuspended;
  private @Nullable ByteBuffer unparsed;
  private byte @Nullable [] pong;
  private boolean messageQueued;
  private boolean dropping;
  private boolean closeReceived;
  private boolean closeSent;

  /** The listener before {@link #open}: nothing is received. */
  private static final class NoListener implements WebSocketListener {
    @Override
    public void message(String text) {}

    @Override
    public void binary() {}

    @Override
    public void drain() {}

    @Override
    public void closed() {}
  }

  /**
   * @param protocol the negotiated sub-protocol; null if none
   */
  WebSocket(
      PushChannels pushChannels,
      StreamConnection connection,
      @Nullable String protocol,
      int maxMessageBytes) {
    super(pushChannels);
    this.connection = connection;
    this.protocol = protocol;
    this.parser = new WebSocketParser(maxMessageBytes, new Receiver());
    this.receivedNanos = pushChannels.now();
  }

  /** Starts receiving, on the connection's thread. */
  void open(WebSocketListener with) {
    listener = with;
    whenClosed(listener::closed);
    var before = connection.getCloseListener();
    connection.setCloseListener(closed -> {
      markClosed();
      ChannelListeners.invokeChannelListener(closed, before);
    });
    pushChannels().opened(this);
    connection.getSinkChannel().setWriteListener(ready -> writeOn());
    var source = connection.getSourceChannel();
    source.setReadListener(this::read);
    source.wakeupReads(); // input that came together with the request triggers no event
  }

  /** The negotiated sub-protocol; null if none. */
  public @Nullable String protocol() {
    return protocol;
  }

  /**
   * Closes with this code after the message in flight; queued messages are dropped. Only the first
   * call has an effect.
   *
   * @param why the reason, in English; truncated to 120 characters
   */
  public void close(int status, String why) {
    close(status, why, true);
  }

  /** The same after all queued messages were sent. */
  public void closeAfterWaiting(int status, String why) {
    close(status, why, false);
  }

  private void close(int status, String why, boolean discard) {
    synchronized (this) {
      if (ending()) {
        return;
      }
      code = status;
      reason = why.substring(0, Math.min(why.length(), LONGEST_REASON));
    }
    end(discard);
  }

  // ---- input ----

  private final class Receiver implements WebSocketParser.Handler {

    @Override
    public void text(String message) {
      receivedNanos = pushChannels().now();
      if (!ending()) {
        listener.message(message);
        if (waiting() > MOST_WAITING) {
          readsSuspended = true;
        }
      }
    }

    @Override
    public void binary() {
      receivedNanos = pushChannels().now();
      if (!ending()) {
        listener.binary();
      }
    }

    /** Of several pings while the socket is full, only the last is answered (section 5.5.3). */
    @Override
    public void ping(byte[] payload) {
      receivedNanos = pushChannels().now();
      if (queue.isEmpty() && !closeSent) {
        send(FIN_PONG, payload);
      } else {
        pong = payload;
      }
    }

    @Override
    public void pong() {
      receivedNanos = pushChannels().now();
    }

    @Override
    public void close(int theirs) {
      closeReceived = true;
      WebSocket.this.close(theirs == WebSocketParser.NO_CODE ? NORMAL : theirs, "");
      closeIfDone();
    }

    @Override
    public boolean receptive() {
      return !readsSuspended && !dropping;
    }
  }

  private void read(StreamSourceChannel source) {
    var buffer = ByteBuffer.allocate(READ_AT_ONCE);
    try {
      while (!readsSuspended) {
        var count = source.read(buffer.clear());
        if (count < 0) {
          IoUtils.safeClose(connection);
          return;
        }
        if (count == 0) {
          source.resumeReads();
          return;
        }
        received(buffer.flip());
      }
      source.suspendReads();
    } catch (IOException e) {
      IoUtils.safeClose(connection);
    }
  }

  private void received(ByteBuffer bytes) {
    try {
      parser.parse(bytes);
    } catch (WebSocketParser.ViolationException e) {
      refuse(e);
    }
    if (bytes.hasRemaining() && readsSuspended) {
      unparsed = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
  }

  /**
   * Sends the reason, and discards input for a while: closing a socket with unread input resets it,
   * and the client may lose the close frame (RFC 6455, section 7.1.1).
   */
  private void refuse(WebSocketParser.ViolationException violation) {
    dropping = true;
    close(violation.code(), String.valueOf(violation.getMessage()));
    afterwards(LINGER, () -> IoUtils.safeClose(connection));
  }

  private void letGo() {
    if (readsSuspended && waiting() <= MOST_WAITING / 2) {
      readsSuspended = false;
      receivedNanos = pushChannels().now();
      onThread(this::readOn);
    }
  }

  private void readOn() {
    var rest = unparsed;
    unparsed = null;
    if (rest != null) {
      received(rest);
    }
    if (!readsSuspended && connection.isOpen()) {
      read(connection.getSourceChannel());
    }
  }

  // ---- output ----

  @Override
  boolean write(byte[] bytes) {
    var all = send(FIN_TEXT, bytes);
    messageQueued = !all;
    letGo();
    return all;
  }

  /** Returns whether the socket has taken all queued bytes. */
  private boolean send(int first, byte[] payload) {
    var length = payload.length;
    var copied = length <= MAX_COPIED;
    var frame = ByteBuffer.allocate(10 + (copied ? length : 0));
    frame.put((byte) first);
    if (length < 126) {
      frame.put((byte) length);
    } else if (length <= 0xffff) {
      frame.put((byte) 126).putShort((short) length);
    } else {
      frame.put((byte) 127).putLong(length);
    }
    if (copied) {
      frame.put(payload);
    }
    var idle = queue.isEmpty();
    queue.add(frame.flip());
    if (!copied) {
      queue.add(ByteBuffer.wrap(payload));
    }
    return idle && push();
  }

  /** Writes queued bytes. Returns whether the socket has taken all of them. */
  private boolean push() {
    var sink = connection.getSinkChannel();
    try {
      for (var next = queue.peek(); next != null; next = queue.peek()) {
        while (next.hasRemaining()) {
          if (sink.write(next) == 0) {
            sink.resumeWrites();
            return false;
          }
        }
        queue.remove();
      }
      if (!sink.flush()) {
        sink.resumeWrites();
        return false;
      }
      sink.suspendWrites();
      closeIfDone();
      return connection.isOpen();
    } catch (IOException e) {
      IoUtils.safeClose(connection);
      return false;
    }
  }

  private void writeOn() {
    if (!push()) {
      return;
    }
    var due = pong;
    pong = null;
    if (due != null && !closeSent) {
      send(FIN_PONG, due);
    }
    if (messageQueued) {
      messageQueued = false;
      letGo();
      written();
    }
  }

  private void closeIfDone() {
    if (closeReceived && closeSent && queue.isEmpty()) {
      IoUtils.safeClose(connection);
    }
  }

  @Override
  void finish() {
    var text = reason.getBytes(StandardCharsets.UTF_8);
    var payload = ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text);
    closeSent = true;
    send(FIN_CLOSE, payload.array());
  }

  @Override
  void drain() {
    onThread(listener::drain);
  }

  @Override
  void heartbeat(long now) {
    if (!readsSuspended
        && now - receivedNanos > HEARTBEATS_UNTIL_GONE * pushChannels().heartbeatNanos()) {
      abort();
    } else {
      onThread(() -> {
        if (queue.isEmpty() && !closeSent) {
          send(FIN_PING, EMPTY);
        }
      });
    }
  }

  @Override
  void abort() {
    onThread(() -> IoUtils.safeClose(connection));
  }

  @Override
  void onThread(Runnable task) {
    connection.getIoThread().execute(task);
  }

  @Override
  void afterwards(Duration delay, Runnable task) {
    var unused = connection.getIoThread().executeAfter(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }
}
