// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
import org.xnio.channels.StreamSourceChannel;

/**
 * Tells by the first bytes of a connection without TLS whether it is one of HTTP/2 (RFC 9113,
 * section 3.3) or HTTP/1, and hands it on together with them. On the connection's thread.
 */
final class ProtocolSniffer {

  private static final byte[] HTTP2 = "PRI * HTTP/2.0\r\n".getBytes(StandardCharsets.US_ASCII);

  private final StreamConnection connection;
  private final ByteBufferPool buffers;
  private final BiConsumer<StreamConnection, PooledByteBuffer> http1;
  private final BiConsumer<StreamConnection, PooledByteBuffer> http2;
  private @Nullable PooledByteBuffer read;
  private XnioExecutor.@Nullable Key timer;
  private boolean over;

  /**
   * @param http1 who takes a connection and what has been read of it, which is theirs then
   */
  ProtocolSniffer(
      StreamConnection connection,
      ByteBufferPool buffers,
      BiConsumer<StreamConnection, PooledByteBuffer> http1,
      BiConsumer<StreamConnection, PooledByteBuffer> http2) {
    this.connection = connection;
    this.buffers = buffers;
    this.http1 = http1;
    this.http2 = http2;
  }

  /**
   * Waits for them without a thread.
   *
   * @param longest then it is closed
   */
  void await(Duration longest) {
    var source = connection.getSourceChannel();
    source.setReadListener(this::read);
    source.getCloseSetter().set(closed -> end());
    read(source);
    if (!over) {
      timer =
          connection
              .getIoThread()
              .executeAfter(this::close, longest.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void close() {
    IoUtils.safeClose(connection);
    end();
  }

  /** A timer that is left would keep the connection in memory until its time. */
  private void end() {
    over = true;
    release();
    var due = timer;
    timer = null;
    if (due != null) {
      due.remove();
    }
  }

  private void release() {
    var held = read;
    read = null;
    if (held != null) {
      held.close();
    }
  }

  private void read(StreamSourceChannel source) {
    var held = read == null ? buffers.allocate() : read;
    read = held;
    try {
      var count = source.read(held.getBuffer());
      if (count < 0) {
        close();
      } else {
        decide(source, held);
      }
    } catch (IOException e) {
      close();
    }
  }

  private void decide(StreamSourceChannel source, PooledByteBuffer held) {
    var bytes = held.getBuffer();
    var alike = alike(bytes);
    if (alike == bytes.position() && alike < HTTP2.length) {
      if (alike == 0) {
        release();
      }
      source.resumeReads();
      return;
    }
    read = null;
    source.suspendReads();
    source.getCloseSetter().set(null);
    end();
    bytes.flip();
    (alike == HTTP2.length ? http2 : http1).accept(connection, held);
  }

  /** How many of the first bytes are those of HTTP/2. */
  private static int alike(ByteBuffer bytes) {
    var most = Math.min(bytes.position(), HTTP2.length);
    for (int i = 0; i < most; i++) {
      if (bytes.get(i) != HTTP2[i]) {
        return i;
      }
    }
    return most;
  }
}
