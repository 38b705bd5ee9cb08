// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.util.HeaderMap;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;

/**
 * A request and its response over HTTP/1.1, HTTP/2 or in process.
 *
 * <pre>
 * client --head--> {@link HttpHandler} --listen, resume--> received ... received(last)
 *        &lt;--head, body-- flush &lt;-- respond, write, end(trailers)
 *                          '- not all accepted --awaitSent--> sent
 * reset by either side, connection lost --> broken, once, unless the response is complete
 * </pre>
 *
 * <p><b>Threads.</b> A stream belongs to its connection's thread, on which its listener is called.
 * Methods are called on that thread unless documented otherwise. {@link #mayFlush} has the one
 * exception: over HTTP/1.1 a worker may send all but the end of a response.
 *
 * <p><b>Back-pressure.</b> Bytes of the request are delivered only between {@link #resume} and
 * {@link #suspend}. Bytes of the response are sent as far as socket and window allow; {@link
 * #flush} returns whether that was all.
 */
public sealed interface HttpStream permits Http1Stream, Http2Stream, InProcessStream {

  /** Receives the events of a stream, on the connection's thread. Its methods must not block. */
  interface Listener {

    /**
     * Bytes of the request's body have arrived.
     *
     * @param bytes valid until this returns
     * @param last whether the request is complete; then nothing follows
     */
    void received(ByteBuffer bytes, boolean last);

    /** The body violates its framing; the response may still be sent. */
    void malformed(HttpFault fault);

    /** All bytes that {@link HttpStream#flush} could not send at once have been sent. */
    void sent();

    /**
     * The stream was reset, or its connection lost, before the response was sent; the last event.
     */
    void broken();
  }

  // ---- the head of the request: immutable, readable by any thread ----

  /** The method as sent. */
  String method();

  /** The decoded path, starting with its slash, path parameters included; {@code *} of OPTIONS. */
  String path();

  /** The query as sent, without its question mark; empty if there is none. */
  String query();

  /** The length of path and query as sent. */
  int targetBytes();

  /** The header fields. Must not be changed. */
  HeaderMap fields();

  /** The length of the body by its {@code Content-Length}; -1 if absent. */
  long contentLength();

  /** The arrival time of the first byte, on the clock of {@link System#nanoTime}. */
  long begunNanos();

  // ---- the connection ----

  /** The address of the client; null in process. */
  @Nullable SocketAddress peer();

  /** The TLS session, with the client's certificate; null without TLS. */
  @Nullable SSLSession tlsSession();

  /** Returns an object that is equal for all streams of one connection. */
  Object connectionKey();

  /** Whether this carries trailers and both directions concurrently: HTTP/2. */
  boolean isHttp2();

  /** Whether the response may stay open indefinitely: not in process. */
  boolean mayStayOpen();

  /** Whether the calling thread is the connection's. From any thread. */
  boolean isOnThread();

  /** Runs a task on the connection's thread, soon. From any thread. */
  void execute(Runnable task);

  /**
   * Runs a task on the connection's thread after a delay. From any thread.
   *
   * @return cancels it
   */
  Runnable after(Duration delay, Runnable task);

  // ---- the body of the request ----

  /** Whether the whole request has arrived and been delivered. */
  boolean isRequestComplete();

  /** Sets the listener. If the stream is broken already, that is reported. */
  void listen(Listener listener);

  /** Delivers bytes that have arrived, and all that follow. */
  void resume();

  /** Suspends delivery; may be called by {@link Listener#received}. */
  void suspend();

  /** Sends {@code 100 Continue} if the client waits for it (RFC 9110, section 10.1.1). */
  void sendContinue();

  /** Leaves the rest of the request unread: over HTTP/1.1 no other request can follow it. */
  void leaveUnread();

  /** Closes the connection once its streams have ended. */
  void leaveConnection();

  // ---- the response ----

  /** The header fields of the response, which may be modified until {@link #respond}. */
  HeaderMap responseFields();

  /** Completes the head, which is sent by the next {@link #flush}. */
  void respond(int status);

  /** Queues bytes of the body, which must not change until they have been sent. */
  void write(ByteBuffer bytes);

  /**
   * Ends the response after the queued bytes.
   *
   * @param trailers null if none
   */
  void end(@Nullable HeaderMap trailers);

  /**
   * Returns whether this thread may call {@link #respond}, {@link #write}, {@link #end} and {@link
   * #flush}. From any thread.
   *
   * @param last whether {@link #end} is among them
   */
  boolean mayFlush(boolean last);

  /**
   * Sends queued bytes, and the head before them.
   *
   * @return whether everything has been sent; if not, {@link #awaitSent} is to follow
   * @throws IllegalStateException over HTTP/1.1, on a thread for which {@link #mayFlush} is false
   */
  boolean flush();

  /** Copies queued bytes, so that the buffers given to {@link #write} are free. */
  void keep();

  /** Continues to send the bytes left over by {@link #flush}; {@link Listener#sent} follows. */
  void awaitSent();

  /** Bytes of the response that wait for the socket or the client's window. */
  int queuedBytes();

  /** Bytes of the response's body that have been sent. */
  long sentBytes();

  /** Whether the response has been sent, or never will be. From any thread. */
  boolean isOver();

  /** Ends the stream early. Idempotent. From any thread. */
  void reset();

  // ---- the client ----

  /** Checks whether the client has disconnected; then the stream is broken. From any thread. */
  void probe();

  /** Reports from now on immediately when the client disconnects. */
  void watchClient();

  // ---- other protocols ----

  /** Whether the client requests another protocol to which the connection can be upgraded. */
  boolean asksFor(String protocol);

  /**
   * Responds with 101 and {@link #responseFields} and passes the connection on, which ends the
   * stream.
   *
   * @throws UnsupportedOperationException if {@link #asksFor} is false for all protocols
   */
  void upgrade(Consumer<StreamConnection> receiver);
}
