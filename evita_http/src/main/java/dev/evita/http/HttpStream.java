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
 *   client --head--> {@link HttpHandler} --listen, resume--> received ... received(last)
 *          &lt;--head, body-- flush &lt;-- respond, write, end(trailers)
 *                            '- not all taken --awaitSent--> sent
 *   reset by either side, connection lost --> broken, once, unless the response is complete
 * </pre>
 *
 * <p><b>Threads.</b> A stream belongs to its connection's thread, on which its listener is called.
 * Methods are called on that thread unless they say otherwise. {@link #mayFlush} names the one
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

    /** The body breaks a rule of its framing; the response may still be sent. */
    void malformed(HttpFault fault);

    /** All that {@link HttpStream#flush} could not send at once has been sent. */
    void sent();

    /**
     * The stream was reset, or its connection lost, before the response was sent; the last event.
     */
    void broken();
  }

  // ---- the head of the request: immutable, readable by any thread ----

  /** The method as sent. */
  String method();

  /** The decoded path from its slash, path parameters included; {@code *} of OPTIONS. */
  String path();

  /** The query as sent, without its question mark; empty if there is none. */
  String query();

  /** The length of path and query as sent. */
  int targetBytes();

  /** The header fields. Must not be changed. */
  HeaderMap fields();

  /** The length of the body by its {@code Content-Length}; -1 where it has none. */
  long contentLength();

  /** When the first byte arrived, on the clock of {@link System#nanoTime}. */
  long begunNanos();

  // ---- the connection ----

  /** The address of the client; null in process. */
  @Nullable SocketAddress peer();

  /** The TLS session, which knows the client's certificate; null without TLS. */
  @Nullable SSLSession tlsSession();

  /** Returns an object that is equal for all streams of one connection. */
  Object connectionKey();

  /** Whether this carries trailers and both directions at a time: HTTP/2. */
  boolean isHttp2();

  /** Whether the response may stay open for as long as the client likes: not in process. */
  boolean mayStayOpen();

  /** Returns whether this thread is the connection's. From any thread. */
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

  /** Whether all of the request has arrived, and nothing of it is left to be delivered. */
  boolean isRequestComplete();

  /** Sets the listener. Where the stream is broken already, that is reported. */
  void listen(Listener listener);

  /** Delivers what has arrived, and all that follows. */
  void resume();

  /** Delivers nothing for now; may be called by {@link Listener#received}. */
  void suspend();

  /** Sends {@code 100 Continue} if the client waits for it (RFC 9110, section 10.1.1). */
  void sendContinue();

  /** The rest of the request is not going to be read: over HTTP/1.1 none can follow it. */
  void leaveUnread();

  /** Closes the connection once its streams have ended. */
  void leaveConnection();

  // ---- the response ----

  /** The header fields of the response, which may be changed until {@link #respond}. */
  HeaderMap responseFields();

  /** Completes the head, which leaves by the next {@link #flush}. */
  void respond(int status);

  /** Queues bytes of the body, which must not change until they have been sent. */
  void write(ByteBuffer bytes);

  /**
   * Ends the response behind what is queued.
   *
   * @param trailers null for none
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
   * Sends what is queued, and the head before it.
   *
   * @return whether all has been sent; if not, {@link #awaitSent} is to follow
   * @throws IllegalStateException over HTTP/1.1, on a thread for which {@link #mayFlush} is false
   */
  boolean flush();

  /** Copies what is queued, so that the buffers given to {@link #write} are free. */
  void keep();

  /** Goes on sending what {@link #flush} has left; {@link Listener#sent} follows. */
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

  /** Looks whether the client has left; then the stream is broken. From any thread. */
  void probe();

  /** Reports from now on at once when the client leaves. */
  void watchClient();

  // ---- other protocols ----

  /** Whether the client asks for another protocol, which the connection can be switched to. */
  boolean asksFor(String protocol);

  /**
   * Responds 101 with {@link #responseFields} and hands the connection over, which ends the stream.
   *
   * @throws UnsupportedOperationException where {@link #asksFor} is false for all protocols
   */
  void upgrade(Consumer<StreamConnection> receiver);
}
