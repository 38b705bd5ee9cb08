// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.WriteReadyHandler;

/**
 * What leaves on a connection of HTTP/2, below Undertow, which writes whole frames: so where all of
 * one writing was taken, a frame of ours may follow. Undertow cannot send GOAWAY without closing
 * the connection.
 *
 * <p>Belongs to the connection's thread.
 */
final class FrameSink extends GatheringSink {

  private boolean betweenFrames = true;
  private boolean begun;
  private boolean ended;
  private @Nullable ByteBuffer own;
  private @Nullable WriteReadyHandler handler;

  FrameSink(StreamSinkConduit next) {
    super(next);
  }

  /** Whether nothing of what Undertow has begun to write waits for the socket. */
  boolean betweenFrames() {
    return betweenFrames;
  }

  /** Whether nothing of Undertow's nor of ours waits for the socket. */
  boolean settled() {
    return betweenFrames && (own == null || !begun);
  }

  /**
   * Says this as soon as the frames before it have left, and not before the first of Undertow's,
   * which is SETTINGS and must be (RFC 9113, section 3.4).
   */
  void say(ByteBuffer frame) throws IOException {
    own = frame;
    if (!flush()) {
      next.resumeWrites();
    }
  }

  /**
   * Nothing more leaves, which the client is told. Undertow is not: it would close the connection
   * as soon as it has something to say, as to a client's PING. What it says is forgotten. Between
   * frames only.
   */
  void end() throws IOException {
    ended = true;
    next.terminateWrites();
    next.flush();
  }

  /** Answers whether nothing of ours stands before Undertow's next frame. */
  private boolean ownHasLeft() throws IOException {
    var frame = own;
    if (frame == null || !betweenFrames || !begun) {
      return true;
    }
    while (frame.hasRemaining()) {
      if (next.write(frame) == 0) {
        return false;
      }
    }
    own = null;
    return true;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    if (ended) {
      return forgotten(from, offset, length);
    }
    if (!ownHasLeft()) {
      return 0;
    }
    var count = next.write(from, offset, length);
    betweenFrames = !Buffers.hasRemaining(from, offset, length);
    begun = true;
    return count;
  }

  private static long forgotten(ByteBuffer[] from, int offset, int length) {
    var count = Buffers.remaining(from, offset, length);
    for (int i = offset; i < offset + length; i++) {
      from[i].position(from[i].limit());
    }
    return count;
  }

  @Override
  public boolean flush() throws IOException {
    return ownHasLeft() && next.flush();
  }

  @Override
  public boolean isWriteShutdown() {
    return !ended && next.isWriteShutdown();
  }

  /** Tells Undertow of it, now that nothing more comes either. */
  void tellOfEnd() {
    var listening = handler;
    if (listening != null) {
      listening.terminated();
    }
  }

  @Override
  public void setWriteReadyHandler(WriteReadyHandler listening) {
    handler = listening;
    next.setWriteReadyHandler(
        new WriteReadyHandler() {
          @Override
          public void writeReady() {
            listening.writeReady();
          }

          @Override
          public void forceTermination() {
            listening.forceTermination();
          }

          @Override
          public void terminated() {
            if (!ended) {
              listening.terminated();
            }
          }
        });
  }
}
