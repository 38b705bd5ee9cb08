// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import dev.evita.externalapi.core.web.MediaTypes;
import dev.evita.externalapi.core.work.ResponseChannel;
import dev.evita.http.HttpStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An answer of server-sent events (HTML, section 9.2), on HTTP/1.1 and HTTP/2: open until {@link
 * #finishAfter}, the client's leaving or the server's stop. No deadline holds for it, and it takes
 * no place among the requests that workers run.
 */
public final class EventStream extends PushChannel {

  /** The media type of event streams. */
  public static final String MEDIA_TYPE = MediaTypes.EVENT_STREAM;

  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final Message HEARTBEAT = () -> COMMENT;

  private final ResponseChannel channel;
  private final HttpStream stream;
  private volatile Runnable whenDraining = this::end;

  public EventStream(PushChannels outlets, ResponseChannel channel, HttpStream stream) {
    super(outlets);
    this.channel = channel;
    this.stream = stream;
  }

  /**
   * One event.
   *
   * @param name of the event's kind; one line
   * @param id what a client that comes back says in {@code Last-Event-ID}; null for none
   * @param data JSON; its line breaks, which a database's own JSON may have between its values,
   *     become blanks
   */
  public static byte[] event(String name, @Nullable String id, byte[] data) {
    var head = "event: " + name + (id == null ? "" : "\nid: " + id) + "\ndata: ";
    var start = head.getBytes(StandardCharsets.UTF_8);
    var event = new byte[start.length + data.length + 2];
    System.arraycopy(start, 0, event, 0, start.length);
    for (int i = 0; i < data.length; i++) {
      event[start.length + i] = data[i] == '\n' || data[i] == '\r' ? (byte) ' ' : data[i];
    }
    event[event.length - 2] = '\n';
    event[event.length - 1] = '\n';
    return event;
  }

  /** Says this as the last, and ends. */
  public void finishAfter(byte[] event) {
    offer(
        new Message() {
          @Override
          public byte[] next() {
            return event;
          }

          @Override
          public void sent() {
            end(true);
          }
        });
  }

  @Override
  boolean write(byte[] bytes) {
    if (channel.write(bytes, bytes.length, false)) {
      return true;
    }
    channel.awaitDrain();
    return false;
  }

  @Override
  void finish() {
    if (!channel.write(new byte[0], 0, true)) {
      channel.awaitDrain();
    }
  }

  /** Replaces what happens when the server stops, which is to end. */
  public void whenDraining(Runnable task) {
    whenDraining = task;
  }

  /** Ends after what is in flight. */
  public void end() {
    end(true);
  }

  @Override
  void drain() {
    whenDraining.run();
  }

  @Override
  public void heartbeat(long now) {
    offer(HEARTBEAT);
  }

  @Override
  void abort() {
    channel.abort();
  }

  @Override
  void onThread(Runnable task) {
    stream.execute(task);
  }

  @Override
  void afterwards(Duration delay, Runnable task) {
    var unused = stream.after(delay, task);
  }
}
