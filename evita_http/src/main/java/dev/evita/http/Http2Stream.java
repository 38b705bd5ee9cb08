// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.URLUtils;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/**
 * A request and its response over HTTP/2.
 *
 * <pre>
 * client --DATA--> receive window --resume--> received ... received(last)
 *        &lt;--HEADERS, DATA-- send windows, socket &lt;--flush-- respond, write, end
 * </pre>
 *
 * <p>Bytes of the request are credited to the client once delivered, so a client sends at most one
 * window of unread bytes. Bytes left over by {@link #flush} are sent by the connection.
 */
public final class Http2Stream implements HttpStream {

  /** The limit of input after the response is complete; beyond it the stream is reset. */
  private static final int MAX_DISCARDED = 1 << 20;

  private static final int CONTINUE = 100;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Http2Connection connection;
  private final int number;
  private final Http2Head head;
  private final long begunNanos;
  private final long contentLength;
  private Listener listener = NoOpStreamListener.LISTENER;
  private @Nullable String path;

  // The request.
  private final Deque<ByteBuffer> unread = new ArrayDeque<>(0);
  private int receiveWindow = Http2Connection.STREAM_WINDOW;
  private int uncredited;
  private long receivedBytes;
  private boolean endReceived;
  private boolean endDelivered;
  private boolean resumed;
  private boolean delivering;
  private int emptyFrames;

  // The response.
  private final Deque<ByteBuffer> queue = new ArrayDeque<>(2);
  private long sendWindow;
  private int queuedBytes;
  private long sentBytes;
  private int status;
  private @Nullable HeaderMap fields;
  private @Nullable HeaderMap trailers;
  private boolean headSent;
  private boolean ending;
  private boolean endSent;
  private boolean undrained;
  private boolean broken;
  private boolean completed;
  private int discarded;
  private @Nullable Runnable discardTimer;

  /** Whether it is among the connection's streams that wait to write. */
  private boolean queued;

  Http2Stream(
      Http2Connection connection,
      int number,
      Http2Head head,
      long begunNanos,
      long contentLength,
      boolean complete,
      long sendWindow) {
    this.connection = connection;
    this.number = number;
    this.head = head;
    this.begunNanos = begunNanos;
    this.contentLength = contentLength;
    this.endReceived = complete;
    this.sendWindow = sendWindow;
  }

  Http2Head head() {
    return head;
  }

  int number() {
    return number;
  }

  // ---- the head of the request ----

  @Override
  public String method() {
    return head.method();
  }

  @Override
  public String path() {
    var known = path;
    if (known == null) {
      known = decodedPath();
      path = known;
    }
    return known;
  }

  private String decodedPath() {
    var end = head.target().indexOf('?');
    var raw = end < 0 ? head.target() : head.target().substring(0, end);
    return raw.indexOf('%') < 0
        ? raw
        : URLUtils.decode(raw, StandardCharsets.UTF_8.name(), false, false, new StringBuilder());
  }

  @Override
  public String query() {
    var start = head.target().indexOf('?');
    return start < 0 ? "" : head.target().substring(start + 1);
  }

  @Override
  public int targetBytes() {
    return head.target().length();
  }

  @Override
  public HeaderMap fields() {
    return head.fields();
  }

  @Override
  public long contentLength() {
    return contentLength;
  }

  @Override
  public long begunNanos() {
    return begunNanos;
  }

  // ---- the connection ----

  @Override
  public SocketAddress peer() {
    return connection.peer();
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return connection.tlsSession();
  }

  @Override
  public Object connectionKey() {
    return connection;
  }

  @Override
  public boolean isHttp2() {
    return true;
  }

  @Override
  public boolean mayStayOpen() {
    return true;
  }

  @Override
  public boolean isOnThread() {
    return connection.isOnItsThread();
  }

  @Override
  public void execute(Runnable task) {
    connection.execute(task);
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    return connection.after(delay, task);
  }

  @Override
  public void leaveConnection() {
    connection.leaveWhenIdle();
  }

  // ---- the body of the request ----

  @Override
  public boolean isRequestComplete() {
    return endReceived && unread.isEmpty();
  }

  @Override
  public void listen(Listener to) {
    listener = to;
    if (broken) {
      to.broken();
    }
  }

  @Override
  public void resume() {
    resumed = true;
    deliver();
  }

  @Override
  public void suspend() {
    resumed = false;
  }

  @Override
  public void sendContinue() {
    if (head.fields().contains(Headers.EXPECT) && !isOver() && !headSent) {
      connection.sendHead(number, CONTINUE, new HeaderMap(), false);
    }
  }

  /** No effect: other streams are not affected. */
  @Override
  public void leaveUnread() {}

  private void deliver() {
    if (delivering) {
      return;
    }
    delivering = true;
    try {
      while (resumed && !endDelivered && !isOver()) {
        var next = unread.poll();
        endDelivered = endReceived && unread.isEmpty();
        if (next != null) {
          deliver(next, next.remaining());
        } else if (endDelivered) {
          listener.received(NOTHING, true);
        } else {
          return;
        }
      }
    } finally {
      delivering = false;
    }
  }

  private void deliver(ByteBuffer bytes, int count) {
    try {
      listener.received(bytes, endDelivered);
    } finally {
      credit(count);
    }
  }

  /**
   * Handles a DATA frame.
   *
   * @param flowBytes its size in the flow-control windows, with padding
   * @return the stream error; null if none
   */
  @Nullable Http2Error dataArrived(ByteBuffer data, int flowBytes, boolean end) {
    if (endReceived) {
      connection.credit(flowBytes);
      return Http2Error.STREAM_CLOSED;
    }
    receiveWindow -= flowBytes;
    if (receiveWindow < 0) {
      connection.credit(flowBytes);
      return Http2Error.FLOW_CONTROL_ERROR;
    }
    var count = data.remaining();
    receivedBytes += count;
    if (count > 0) {
      emptyFrames = 0;
    } else if (!end && ++emptyFrames > Http2Connection.MAX_EMPTY_FRAMES) {
      return Http2Error.ENHANCE_YOUR_CALM;
    }
    endReceived = end;
    if (contentLength >= 0 && (receivedBytes > contentLength || (end && isShort()))) {
      connection.credit(flowBytes);
      return Http2Error.PROTOCOL_ERROR;
    }
    credit(flowBytes - count);
    arrived(data, count);
    return null;
  }

  private void arrived(ByteBuffer data, int count) {
    if (endSent || broken) {
      discard(count);
      return;
    }
    if (count > 0 && resumed && unread.isEmpty() && !delivering) {
      delivering = true;
      endDelivered = endReceived;
      try {
        deliver(data, count);
      } finally {
        delivering = false;
      }
    } else if (count > 0) {
      unread.add(ByteBuffer.allocate(count).put(data).flip());
    }
    deliver();
  }

  /** Whether fewer bytes have arrived than announced. */
  private boolean isShort() {
    return contentLength >= 0 && receivedBytes < contentLength;
  }

  /**
   * Handles trailers, which end the request.
   *
   * @return the stream error; null if none
   */
  @Nullable Http2Error endArrived() {
    if (endReceived) {
      return Http2Error.STREAM_CLOSED;
    }
    endReceived = true;
    if (isShort()) {
      return Http2Error.PROTOCOL_ERROR;
    }
    if (endSent) {
      complete();
    } else {
      deliver();
    }
    return null;
  }

  /** The response is complete, but the request is not: discards further input. */
  private void discard(int count) {
    credit(count);
    discarded += count;
    if (endReceived) {
      complete();
    } else if (discarded > MAX_DISCARDED) {
      reset(Http2Error.NO_ERROR);
    }
  }

  private void credit(int count) {
    if (count == 0) {
      return;
    }
    connection.credit(count);
    uncredited += count;
    if (uncredited >= Http2Connection.STREAM_WINDOW / 2 && !endReceived && !broken) {
      connection.windowUpdate(number, uncredited);
      receiveWindow += uncredited;
      uncredited = 0;
    }
  }

  /** Returns the window of bytes that will not be read. */
  private void discardUnread() {
    for (var next = unread.poll(); next != null; next = unread.poll()) {
      connection.credit(next.remaining());
    }
  }

  // ---- the response ----

  @Override
  public HeaderMap responseFields() {
    var known = fields;
    if (known == null) {
      known = new HeaderMap();
      fields = known;
    }
    return known;
  }

  @Override
  public void respond(int code) {
    status = code;
  }

  @Override
  public void write(ByteBuffer bytes) {
    if (!isOver() && bytes.hasRemaining() && !head.method().equals("HEAD")) {
      queue.add(bytes);
      queuedBytes += bytes.remaining();
    }
  }

  @Override
  public void end(@Nullable HeaderMap fieldsAfter) {
    ending = true;
    trailers = fieldsAfter == null || fieldsAfter.size() == 0 ? null : fieldsAfter;
  }

  @Override
  public boolean mayFlush(boolean last) {
    return isOnThread();
  }

  @Override
  public boolean flush() {
    if (isOver()) {
      return true;
    }
    while (!queued && send()) {
      // the next frame
    }
    undrained = !isDrained();
    return !undrained;
  }

  @Override
  public void keep() {
    var all = ByteBuffer.allocate(queuedBytes);
    for (var next = queue.poll(); next != null; next = queue.poll()) {
      all.put(next);
    }
    if (all.position() > 0) {
      queue.add(all.flip());
    }
  }

  /** No effect: the connection sends it round-robin with other streams. */
  @Override
  public void awaitSent() {}

  private boolean isDrained() {
    return queue.isEmpty() && (!ending || endSent) && (headSent || status == 0);
  }

  /** Writes when the stream is next among those that wait. */
  void turn() {
    queued = false;
    if (send()) {
      await();
    }
    if (undrained && !broken && isDrained()) {
      undrained = false;
      listener.sent();
    }
  }

  private void await() {
    if (!queued && !isOver()) {
      queued = true;
      connection.awaitTurn(this);
    }
  }

  /** Sends the next frame. Returns whether there is another one that can be sent. */
  private boolean send() {
    if (isOver() || status == 0) {
      return false;
    }
    if (!connection.canWrite()) {
      await();
      return false;
    }
    if (!headSent) {
      headSent = true;
      var whole = ending && queue.isEmpty() && trailers == null;
      connection.sendHead(number, status, responseFields(), whole);
      if (whole) {
        sentEnd();
      }
      return !isDrained();
    }
    var next = queue.peek();
    return next == null ? sendEnd() : sendData(next);
  }

  private boolean sendEnd() {
    if (ending && !endSent) {
      var last = trailers;
      if (last == null) {
        connection.sendData(number, ByteBuffer.allocate(0), 0, true);
      } else {
        connection.sendTrailers(number, last);
      }
      sentEnd();
    }
    return false;
  }

  private boolean sendData(ByteBuffer next) {
    var window = Math.min(sendWindow, connection.sendWindow());
    var count = (int) Math.min(Math.min(next.remaining(), Http2Frame.MAX_PAYLOAD), window);
    if (count <= 0) {
      if (sendWindow > 0) {
        await();
      }
      return false;
    }
    var last = ending && trailers == null && count == queuedBytes;
    sendWindow -= count;
    queuedBytes -= count;
    sentBytes += count;
    connection.sendData(number, next, count, last);
    if (broken) {
      return false; // the socket has failed
    }
    if (!next.hasRemaining()) {
      queue.remove();
    }
    if (last) {
      sentEnd();
      return false;
    }
    return true;
  }

  private void sentEnd() {
    if (broken) {
      return; // the socket has failed
    }
    endSent = true;
    discardUnread();
    if (endReceived) {
      complete();
    } else {
      discardTimer = connection.after(Http2Connection.LINGER, () -> reset(Http2Error.NO_ERROR));
    }
  }

  private void complete() {
    completed = true;
    stopTimer();
    connection.completed(this);
  }

  private void stopTimer() {
    var timer = discardTimer;
    discardTimer = null;
    if (timer != null) {
      timer.run();
    }
  }

  /**
   * Widens the window of the response, or narrows it after new settings.
   *
   * @return whether it is still within the allowed range
   */
  boolean widen(long count) {
    sendWindow += count;
    if (sendWindow > Integer.MAX_VALUE) {
      return false;
    }
    if (sendWindow > 0 && undrained) {
      await();
    }
    return true;
  }

  @Override
  public int queuedBytes() {
    return queuedBytes;
  }

  @Override
  public long sentBytes() {
    return sentBytes;
  }

  @Override
  public boolean isOver() {
    return endSent || broken;
  }

  @Override
  public void reset() {
    if (isOnThread()) {
      reset(Http2Error.CANCEL);
    } else {
      execute(() -> reset(Http2Error.CANCEL));
    }
  }

  /** Ends the stream early with RST_STREAM. Idempotent. */
  void reset(Http2Error error) {
    if (!broken && !completed) {
      connection.sendReset(number, error);
      close(ClosedStreams.End.RESET_BY_US);
    }
  }

  /** Ends the stream early without a frame. */
  void close(ClosedStreams.End how) {
    var complete = endSent;
    broken = true;
    stopTimer();
    queue.clear();
    queuedBytes = 0;
    discardUnread();
    connection.closed(this, how);
    if (!complete) {
      listener.broken();
    }
  }

  // ---- the client; other protocols ----

  /** No effect: the connection itself detects that the client has disconnected. */
  @Override
  public void probe() {}

  @Override
  public void watchClient() {}

  @Override
  public boolean asksFor(String protocol) {
    return false;
  }

  @Override
  public void upgrade(Consumer<StreamConnection> receiver) {
    throw new UnsupportedOperationException(
        "an HTTP/2 stream cannot be upgraded to another protocol");
  }
}
