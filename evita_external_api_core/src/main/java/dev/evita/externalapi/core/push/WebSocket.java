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
 * <p>While more than a few messages wait to be sent, none is received: a client that asks and does
 * not read is held up by its own socket. Each {@code heartbeat} it is pinged; one that sends
 * nothing for three of them is gone.
 *
 * <pre>
 *   close frame of the client --> ours, with its code --> the connection is closed
 *   close frame of ours       --> the client's          --> the connection is closed
 *   a rule is broken          --> ours, with the reason --> what comes is dropped for a second
 * </pre>
 */
public final class WebSocket extends PushChannel {

  /** The server goes away (RFC 6455, section 7.4.1). */
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

  /** For a client to read why its message is refused, while it is still sending it. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final StreamConnection connection;
  private final @Nullable String protocol;
  private final WebSocketParser parser;
  private final Deque<ByteBuffer> queue = new ArrayDeque<>(2);
  private WebSocketListener listener = new Deaf();
  private volatile long receivedNanos;
  private volatile int code = GOING_AWAY;
  private volatile String reason = "";
  private boolean heldUp;
  private @Nullable ByteBuffer unparsed;
  private byte @Nullable [] pong;
  private boolean messageQueued;
  private boolean dropping;
  private boolean closeReceived;
  private boolean closeSent;

  /** Before there is a listener, nothing is received. */
  private static final class Deaf implements WebSocketListener {
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
   * @param protocol that was agreed on; null for none
   */
  WebSocket(
      PushChannels outlets,
      StreamConnection connection,
      @Nullable String protocol,
      int maxMessageBytes) {
    super(outlets);
    this.connection = connection;
    this.protocol = protocol;
    this.parser = new WebSocketParser(maxMessageBytes, new Receiver());
    this.receivedNanos = outlets.now();
  }

  /** On the connection's thread. */
  void open(WebSocketListener with) {
    listener = with;
    whenClosed(listener::closed);
    var before = connection.getCloseListener();
    connection.setCloseListener(closed -> {
      markClosed();
      ChannelListeners.invokeChannelListener(closed, before);
    });
    outlets().opened(this);
    connection.getSinkChannel().setWriteListener(ready -> writeOn());
    var source = connection.getSourceChannel();
    source.setReadListener(this::read);
    source.wakeupReads(); // what has come together with the request wakes nobody
  }

  /** The sub-protocol that was agreed on; null for none. */
  public @Nullable String protocol() {
    return protocol;
  }

  /**
   * Closes with this code after what is in flight; what waits is not sent any more. The first call
   * counts.
   *
   * @param why in English; cut after 120 characters
   */
  public void close(int status, String why) {
    close(status, why, true);
  }

  /** The same after all that waits was sent. */
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

  // ---- what the client sends ----

  private final class Receiver implements WebSocketParser.Handler {

    @Override
    public void text(String message) {
      receivedNanos = outlets().now();
      if (!ending()) {
        listener.message(message);
        if (waiting() > MOST_WAITING) {
          heldUp = true;
        }
      }
    }

    @Override
    public void binary() {
      receivedNanos = outlets().now();
      if (!ending()) {
        listener.binary();
      }
    }

    /** While the socket is full, of several pings the last is answered (section 5.5.3). */
    @Override
    public void ping(byte[] payload) {
      receivedNanos = outlets().now();
      if (queue.isEmpty() && !closeSent) {
        send(FIN_PONG, payload);
      } else {
        pong = payload;
      }
    }

    @Override
    public void pong() {
      receivedNanos = outlets().now();
    }

    @Override
    public void close(int theirs) {
      closeReceived = true;
      WebSocket.this.close(theirs == WebSocketParser.NO_CODE ? NORMAL : theirs, "");
      closeIfDone();
    }

    @Override
    public boolean receptive() {
      return !heldUp && !dropping;
    }
  }

  private void read(StreamSourceChannel source) {
    var buffer = ByteBuffer.allocate(READ_AT_ONCE);
    try {
      while (!heldUp) {
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
    if (bytes.hasRemaining() && heldUp) {
      unparsed = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
  }

  /**
   * Says why, and drops what still comes for a while: to close a socket that has not been read to
   * its end resets it, and the client may lose the close frame (RFC 6455, section 7.1.1).
   */
  private void refuse(WebSocketParser.ViolationException violation) {
    dropping = true;
    close(violation.code(), String.valueOf(violation.getMessage()));
    afterwards(LINGER, () -> IoUtils.safeClose(connection));
  }

  private void letGo() {
    if (heldUp && waiting() <= MOST_WAITING / 2) {
      heldUp = false;
      receivedNanos = outlets().now();
      onThread(this::readOn);
    }
  }

  private void readOn() {
    var rest = unparsed;
    unparsed = null;
    if (rest != null) {
      received(rest);
    }
    if (!heldUp && connection.isOpen()) {
      read(connection.getSourceChannel());
    }
  }

  // ---- what is sent ----

  @Override
  boolean write(byte[] bytes) {
    var all = send(FIN_TEXT, bytes);
    messageQueued = !all;
    letGo();
    return all;
  }

  /** Answers whether the socket has taken all that was to be sent. */
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

  /** Writes what is queued. Answers whether the socket has taken all of it. */
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
    if (!heldUp && now - receivedNanos > HEARTBEATS_UNTIL_GONE * outlets().heartbeatNanos()) {
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
