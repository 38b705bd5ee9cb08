// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedBinaryMessage;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketCallback;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * A WebSocket (RFC 6455), the server's end.
 *
 * <p>While more than a few messages wait to be sent, none is received: a client that asks and does
 * not read is held up by its own socket. Each {@code heartbeat} it is pinged; one that sends
 * nothing for three of them is gone.
 */
public final class WebSocket extends Outlet {

  /** The server goes away (RFC 6455, section 7.4.1). */
  public static final int GOING_AWAY = 1001;

  private static final int MOST_WAITING = 64;
  private static final int HEARTBEATS_UNTIL_GONE = 3;
  private static final int LONGEST_REASON = 120;

  /** For a client to read why its message is refused, while it is still sending it. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final StreamConnection connection;
  private final WebSocketChannel channel;
  private final int maxMessageBytes;
  private WebSocketListener listener = new Deaf();
  private volatile long receivedNanos;
  private volatile int code = GOING_AWAY;
  private volatile String reason = "";
  private boolean heldUp;

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

  WebSocket(
      Outlets outlets, StreamConnection connection, WebSocketChannel channel, int maxMessageBytes) {
    super(outlets);
    this.connection = connection;
    this.channel = channel;
    this.maxMessageBytes = maxMessageBytes;
    this.receivedNanos = outlets.now();
  }

  /** On the connection's thread. */
  void open(WebSocketListener with) {
    listener = with;
    whenClosed(listener::closed);
    channel.addCloseTask(closed -> markClosed());
    outlets().opened(this);
    channel.getReceiveSetter().set(new Receiver());
    channel.resumeReceives();
  }

  /** The sub-protocol that was agreed on; null for none. */
  public @Nullable String protocol() {
    var agreed = channel.getSubProtocol();
    return agreed == null || agreed.isEmpty() ? null : agreed;
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

  private final class Receiver extends AbstractReceiveListener {

    /** Of a message that is too large, or no UTF-8, after the close frame that says so. */
    @Override
    protected void onError(WebSocketChannel from, Throwable failure) {
      if (from.isCloseFrameSent()) {
        linger();
      } else {
        super.onError(from, failure);
      }
    }

    @Override
    protected long getMaxTextBufferSize() {
      return maxMessageBytes;
    }

    @Override
    protected long getMaxBinaryBufferSize() {
      return maxMessageBytes;
    }

    @Override
    protected void onFullTextMessage(WebSocketChannel from, BufferedTextMessage message) {
      receivedNanos = outlets().now();
      if (!ending()) {
        listener.message(message.getData());
        holdUp();
      }
    }

    @Override
    @SuppressWarnings("deprecation") // Undertow's buffers of bytes are given back by this alone
    protected void onFullBinaryMessage(WebSocketChannel from, BufferedBinaryMessage message) {
      message.getData().free();
      receivedNanos = outlets().now();
      if (!ending()) {
        listener.binary();
      }
    }

    @Override
    @SuppressWarnings("deprecation")
    protected void onFullPongMessage(WebSocketChannel from, BufferedBinaryMessage message) {
      message.getData().free();
      receivedNanos = outlets().now();
    }
  }

  /**
   * Reads what still comes and drops it, for a while: to close a socket that has not been read to
   * its end resets it, and the client may lose the close frame that was sent (RFC 6455, section
   * 7.1.1).
   */
  private void linger() {
    var source = connection.getSourceChannel();
    var dropped = ByteBuffer.allocate(1 << 14);
    source.setReadListener(readable -> {
      try {
        var read = 1;
        while (read > 0) {
          read = readable.read(dropped.clear());
        }
        if (read < 0) {
          IoUtils.safeClose(channel);
        }
      } catch (IOException e) {
        IoUtils.safeClose(channel);
      }
    });
    source.resumeReads();
    afterwards(LINGER, () -> IoUtils.safeClose(channel));
  }

  private void holdUp() {
    if (!heldUp && waiting() > MOST_WAITING) {
      heldUp = true;
      channel.suspendReceives();
    }
  }

  private void letGo() {
    if (heldUp && waiting() <= MOST_WAITING / 2) {
      heldUp = false;
      receivedNanos = outlets().now();
      channel.resumeReceives();
    }
  }

  @Override
  boolean write(byte[] bytes) {
    var sending = new Sending();
    WebSockets.sendText(ByteBuffer.wrap(bytes), channel, sending);
    return sending.leave();
  }

  /** Undertow calls back within the call or later, always on the connection's thread. */
  private final class Sending implements WebSocketCallback<Void> {
    private boolean done;
    private boolean left;

    /** The call has returned. Answers whether it was called back by then. */
    private boolean leave() {
      left = true;
      letGo();
      return done;
    }

    @Override
    public void complete(WebSocketChannel to, Void nothing) {
      done = true;
      if (left) {
        letGo();
        written();
      }
    }

    @Override
    public void onError(WebSocketChannel to, Void nothing, Throwable failure) {
      IoUtils.safeClose(channel);
    }
  }

  @Override
  void finish() {
    WebSockets.sendClose(code, reason, channel, null);
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
      onThread(() -> WebSockets.sendPing(ByteBuffer.allocate(0), channel, null));
    }
  }

  @Override
  void abort() {
    onThread(() -> IoUtils.safeClose(channel));
  }

  @Override
  void onThread(Runnable task) {
    channel.getIoThread().execute(task);
  }

  @Override
  void afterwards(Duration delay, Runnable task) {
    var unused = channel.getIoThread().executeAfter(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }
}
