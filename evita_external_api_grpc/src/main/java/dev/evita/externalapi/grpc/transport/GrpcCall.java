// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.exchange.StreamingExchange;
import dev.evita.externalapi.core.work.Work;
import io.grpc.Attributes;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.Decompressor;
import io.grpc.DecompressorRegistry;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One call.
 *
 * <pre>
 *   connection's thread                            the service's thread (or the same)
 *   bytes -> MessageReader -> arrived --demand-->  onMessage ... onHalfClose
 *   duplex &lt;- steps, then one flush  &lt;------------ sendHeaders, sendMessage, close
 * </pre>
 *
 * <p>Each action of the service is recorded as a step, and all steps of one turn are sent by one
 * flush: so the head, message and trailers of a unary response are one write to the socket. On the
 * connection's own thread a turn is one callback; from another, it is all steps recorded by the
 * time the connection processes them.
 *
 * <p>As any {@link ServerCall}, it is used by one thread at a time, except for {@link #request} and
 * {@link #isReady}, which any thread may call.
 */
public final class GrpcCall<Q, R> extends ServerCall<Q, R> implements StreamingExchange.Listener {

  /**
   * Amount queued for the connection's thread at which the service is no longer reported as ready.
   */
  private static final int HIGH_WATER = 64 << 10;

  /** Number of times a service may fill a fast socket before other calls are served. */
  private static final int ROUNDS = 16;

  private final StreamingExchange duplex;
  private final MethodDescriptor<Q, R> method;
  private final Context.CancellableContext context;
  private final CallFraming framing;
  private final MessageReader reader;

  // Owned by the connection's thread.
  private final Queue<InputStream> arrived = new ArrayDeque<>(2);
  private int demand;
  private boolean receivedAll;
  private boolean halfClosed;
  private boolean delivering;
  private boolean taking;
  private boolean headersSent;
  private boolean ended;

  // Shared by all threads.
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean due = new AtomicBoolean();
  private final AtomicInteger waitingBytes = new AtomicInteger();
  private volatile boolean toldToWait;
  private volatile boolean cancelled;

  // Owned by the service's thread.
  private @Nullable Executor executor;
  private ServerCall.@Nullable Listener<Q> listener;
  private @Nullable Compressor compressor;
  private boolean compressing = true;
  private boolean closed;

  public GrpcCall(
      StreamingExchange duplex,
      MethodDescriptor<Q, R> method,
      Context.CancellableContext context,
      int maxMessageBytes) {
    this.duplex = duplex;
    this.method = method;
    this.context = context;
    this.framing = CallFraming.of(duplex);
    this.reader = new MessageReader(decompressor(duplex.header("grpc-encoding")), maxMessageBytes);
  }

  private static @Nullable Decompressor decompressor(@Nullable String encoding) {
    return encoding == null || encoding.equals("identity")
        ? null
        : DecompressorRegistry.getDefaultInstance().lookupDecompressor(encoding);
  }

  /**
   * Starts the call, on the connection's thread.
   *
   * @param on the service's executor; null for this thread
   */
  public void start(ServerCallHandler<Q, R> handler, @Nullable Executor on) {
    executor = on == null ? null : new SerialExecutor(on);
    duplex.listen(this);
    context.addListener(this::contextCancelled, Runnable::run);
    var metadata = GrpcMetadata.of(duplex);
    delivering =
        true; // messages that the service requests immediately may have arrived, but its listener
    // is not set yet
    turn(() -> {
      listener = handler.startCall(this, metadata);
      heard().onReady();
    });
    delivering = false;
    deliver();
  }

  /** Runs a callback of the service, in its context. */
  private void turn(Runnable part) {
    var on = executor;
    if (on != null) {
      try {
        on.execute(() -> guarded(part));
      } catch (RejectedExecutionException e) {
        overloaded();
      }
      return;
    }
    var outermost =
        due.compareAndSet(false, true); // its steps are queued until the end of the turn
    guarded(part);
    if (outermost) {
      takeSteps();
    }
  }

  /**
   * The service's executor rejects the task: the call ends, without a notification of the service.
   */
  private void overloaded() {
    if (!ended) {
      cancelled = true;
      context.cancel(null);
      steps.add(() ->
          sendEnd(
              Status.RESOURCE_EXHAUSTED.withDescription("The server is busy; try again"),
              new Metadata()));
      takeSteps();
    }
  }

  private void guarded(Runnable part) {
    var before = context.attach();
    try {
      part.run();
    } catch (StatusRuntimeException e) {
      fail(e.getStatus(), e.getTrailers());
    } catch (Throwable e) {
      fail(Status.UNKNOWN.withDescription("The service failed").withCause(e), null);
    } finally {
      context.detach(before);
    }
  }

  private void fail(Status status, @Nullable Metadata trailers) {
    if (!closed) {
      close(status, trailers == null ? new Metadata() : trailers);
    }
  }

  private ServerCall.Listener<Q> heard() {
    var to = listener;
    if (to == null) {
      throw Status.UNKNOWN.withDescription("The service did not start").asRuntimeException();
    }
    return to;
  }

  // ---- the request ----

  @Override
  public void received(ByteBuffer received) {
    try {
      var bytes = framing.received(received);
      for (var next = reader.next(bytes); next != null; next = reader.next(bytes)) {
        arrived.add(next);
      }
    } catch (StatusRuntimeException e) {
      refuse(e.getStatus());
      return;
    }
    deliver();
  }

  /** The request is malformed: the service is notified that the call is cancelled. */
  private void refuse(Status status) {
    refuse(status, null);
  }

  private void refuse(Status status, @Nullable Metadata trailers) {
    duplex.suspend();
    steps.add(() -> sendEnd(status, trailers == null ? new Metadata() : trailers));
    takeSteps();
    cancel();
  }

  /** One of Evita's own services decides whether its response may be stored. */
  private StatusRuntimeException overdue() {
    return listener instanceof RequestListener own && own.committing()
        ? GrpcStatuses.of(Work.failure(ErrorCode.COMMIT_UNKNOWN))
        : Status.DEADLINE_EXCEEDED
            .withDescription("The client's deadline has passed")
            .asRuntimeException();
  }

  @Override
  public void receivedAll() {
    receivedAll = true;
    if (reader.midway() || framing.midway()) {
      refuse(Status.INTERNAL.withDescription("The request ends within a message"));
      return;
    }
    deliver();
  }

  @Override
  public void request(int messages) {
    if (duplex.onItsThread()) {
      demanded(messages);
    } else {
      duplex.execute(() -> demanded(messages));
    }
  }

  private void demanded(int messages) {
    demand = demand > Integer.MAX_VALUE - messages ? Integer.MAX_VALUE : demand + messages;
    deliver();
  }

  /**
   * Delivers the received messages that the service has requested, and continues reading if more
   * are requested.
   */
  private void deliver() {
    if (delivering) {
      return;
    }
    delivering = true;
    while (demand > 0 && !arrived.isEmpty() && !cancelled) {
      demand--;
      var message = arrived.remove();
      turn(() -> heard().onMessage(method.parseRequest(message)));
    }
    if (receivedAll && arrived.isEmpty() && !halfClosed && !cancelled) {
      halfClosed = true;
      turn(() -> heard().onHalfClose());
    }
    delivering = false;
    if (demand > 0 && !receivedAll) {
      duplex.resume();
    } else {
      duplex.suspend();
    }
  }

  // ---- the response ----

  @Override
  public void sendHeaders(Metadata headers) {
    if (mayWriteNow()) {
      writeHeaders(headers);
    } else {
      sendStep(() -> writeHeaders(headers));
    }
  }

  private void writeHeaders(Metadata headers) {
    if (!headersSent && !ended) {
      startAnswer();
      GrpcMetadata.forEach(headers, duplex::responseHeader);
    }
  }

  private void startAnswer() {
    headersSent = true;
    duplex.contentType(framing.contentType());
    duplex.responseHeader("grpc-accept-encoding", "gzip");
    if (compressor != null) {
      duplex.responseHeader("grpc-encoding", compressor.getMessageEncoding());
    }
  }

  @Override
  public void sendMessage(R message) {
    var framed =
        MessageWriter.frame(method.streamResponse(message), compressing ? compressor : null);
    if (mayWriteNow()) {
      write(framed);
      return;
    }
    waitingBytes.addAndGet(framed.length());
    sendStep(() -> {
      waitingBytes.addAndGet(-framed.length());
      write(framed);
    });
  }

  /**
   * Headers and the only message of a response are sent with its end, as by any server of
   * grpc-java; otherwise a service on a thread of its own would need three hand-offs.
   */
  private void sendStep(Runnable step) {
    if (method.getType().serverSendsOneMessage()) {
      steps.add(step);
    } else {
      step(step);
    }
  }

  /**
   * In a turn on the connection's thread nothing has to be queued, unless the queue is not empty.
   */
  private boolean mayWriteNow() {
    return due.get() && steps.isEmpty() && duplex.onItsThread();
  }

  private void write(MessageWriter.Framed framed) {
    if (!ended) {
      framing.message(duplex, framed.bytes(), framed.length());
    }
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (closed) {
      throw new IllegalStateException("the call is closed already");
    }
    closed = true;
    step(() -> {
      sendEnd(status, trailers);
      turn(() -> {
        if (listener != null && !cancelled) {
          listener.onComplete();
        }
      });
      context.cancel(null);
    });
  }

  private void sendEnd(Status status, Metadata own) {
    if (ended) {
      return;
    }
    ended = true;
    var trailers = GrpcMetadata.trailers(status, own);
    var headers = headersSent;
    if (!headers) {
      startAnswer();
    }
    framing.end(duplex, trailers, headers);
  }

  private void step(Runnable step) {
    steps.add(step);
    if (!due.compareAndSet(false, true)) {
      return; // another turn processes them, in order
    }
    if (duplex.onItsThread()) {
      takeSteps();
    } else {
      duplex.execute(this::takeSteps);
    }
  }

  /**
   * On the connection's thread. A service that sends more messages when it becomes ready is called
   * by the same loop: a nested call would add a stack frame for each round.
   */
  private void takeSteps() {
    if (taking) {
      due.set(true);
      return;
    }
    taking = true;
    try {
      for (int round = 0; round == 0 || due.get(); round++) {
        if (round == ROUNDS) {
          duplex.execute(this::takeSteps);
          return;
        }
        takeOnce();
      }
    } finally {
      taking = false;
    }
  }

  private void takeOnce() {
    due.set(false);
    for (var step = steps.poll(); step != null; step = steps.poll()) {
      step.run();
    }
    if (headersSent) {
      duplex.flush();
    }
    tellIfReady();
  }

  @Override
  public boolean isReady() {
    var ready = isFree();
    if (!ready) {
      toldToWait = true;
    }
    return ready;
  }

  private boolean isFree() {
    return duplex.writable() && waitingBytes.get() < HIGH_WATER;
  }

  @Override
  public void writable() {
    tellIfReady();
  }

  private void tellIfReady() {
    if (toldToWait && isFree() && !ended) {
      toldToWait = false;
      turn(() -> heard().onReady());
    }
  }

  @Override
  public void setCompression(String name) {
    var known = CompressorRegistry.getDefaultInstance().lookupCompressor(name);
    if (known == null) {
      throw new IllegalArgumentException("no compressor is named '" + name + "'");
    }
    compressor = name.equals("identity") || !accepted(name) ? null : known;
  }

  private boolean accepted(String encoding) {
    var accepted = duplex.header("grpc-accept-encoding");
    return accepted != null && List.of(accepted.split(" *, *", -1)).contains(encoding);
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    compressing = enabled;
  }

  // ---- the end before its time ----

  /** If the service has closed the call already, it was notified that the call is complete. */
  @Override
  public void broken() {
    if (!ended) {
      ended = true;
      cancel();
    }
  }

  private void cancel() {
    if (!cancelled) {
      cancelled = true;
      arrived.clear();
      context.cancel(new StatusException(Status.CANCELLED));
      turn(() -> {
        if (listener != null) {
          listener.onCancel();
        }
      });
    }
  }

  /** Cancels the call by its deadline, or because it has ended. On any thread. */
  private void contextCancelled(Context cancelledContext) {
    var deadline = cancelledContext.getDeadline();
    if (deadline == null || !deadline.isExpired() || cancelled) {
      return;
    }
    duplex.execute(() -> {
      if (!ended) {
        var failure = overdue();
        refuse(failure.getStatus(), failure.getTrailers());
      }
    });
  }

  /**
   * Returns the first value of a header of the request, by its case-insensitive name; null if it is
   * absent.
   */
  @Nullable String header(String name) {
    return duplex.header(name);
  }

  /** The arrival time of its first byte, on the clock of {@link System#nanoTime}. */
  long begunNanos() {
    return duplex.begunNanos();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public MethodDescriptor<Q, R> getMethodDescriptor() {
    return method;
  }

  @Override
  public Attributes getAttributes() {
    return Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, duplex.peer()).build();
  }

  @Override
  public @Nullable String getAuthority() {
    return duplex.header("host");
  }
}
