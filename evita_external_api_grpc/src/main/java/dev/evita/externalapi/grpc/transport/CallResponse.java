// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.work.CallWork;
import dev.evita.externalapi.core.work.Work;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The response to a call of one of Evita's own methods: connects its {@link CallWork} with the
 * {@link ServerCall}. Used by one thread at a time, as its work is, except for {@link #cancel} and
 * {@link #ready}, which are for the call's thread.
 */
public final class CallResponse implements CallWork.Caller {

  private final ServerCall<byte[], byte[]> call;
  private final CallWork callWork;
  private final Runnable again;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final Metadata headers = new Metadata();
  private boolean begun;
  private volatile @Nullable Runnable whenReady;

  /**
   * @param again restarts the work with the current schema
   */
  public CallResponse(ServerCall<byte[], byte[]> call, BackgroundWork background, Runnable again) {
    this.call = call;
    this.callWork =
        background.open(
            this,
            call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
            call instanceof GrpcCall<?, ?> ours ? ours.begunNanos() : System.nanoTime());
    this.again = again;
  }

  /**
   * Returns the idempotency key of the call; null for none.
   *
   * @param request the message of the call
   * @throws EvitaException as {@link IdempotencyKeys#require}
   */
  public IdempotentWrite.@Nullable Key key(IdempotencyKeys keys, byte[] request) {
    var given = givenKey();
    if (given == null) {
      return null;
    }
    var path = call.getMethodDescriptor().getFullMethodName();
    return new IdempotentWrite.Key(
        keys,
        keys.require(given),
        IdempotencyKeys.fingerprint(List.of(IdempotencyKeys.part(path), request)));
  }

  private @Nullable String givenKey() {
    return call instanceof GrpcCall<?, ?> ours ? ours.header(IdempotencyKeys.HEADER) : null;
  }

  /**
   * Rejects an idempotency key of a call that is a transaction of many messages.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  public void requireNoKey() {
    if (givenKey() != null) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "An idempotency-key is for unary calls; "
              + call.getMethodDescriptor().getFullMethodName()
              + " takes a stream of messages");
    }
  }

  /** Sets a header of the response, before its first message. */
  public void header(String name, String value) {
    headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
  }

  /** The call as the dispatcher sees it. */
  public CallWork call() {
    return callWork;
  }

  /** The work of the call: deadline, admission, cancellation. */
  public Work work() {
    return callWork.work();
  }

  /** Sends a message. */
  public void send(byte[] message) {
    if (!begun) {
      begun = true;
      callWork.answering();
      call.sendHeaders(headers);
    }
    call.sendMessage(message);
  }

  /** Completes the call. */
  public void complete() {
    var unused = callWork.complete(this::close);
  }

  private void close() {
    if (!begun) {
      begun = true;
      call.sendHeaders(headers);
    }
    call.close(Status.OK, new Metadata());
  }

  /** Sends the only message. */
  public void complete(byte[] message) {
    var unused =
        callWork.complete(() -> {
          send(message);
          close();
        });
  }

  /** Fails the call; if only the schema has changed, restarts it. */
  public void fail(Throwable failure) {
    var problem = EvitaException.from(failure);
    if (problem.code() != ErrorCode.CATALOG_CHANGED || !callWork.work().restart()) {
      callWork.work().fail(problem);
    }
  }

  @Override
  public void failed(EvitaException problem) {
    var status = GrpcStatuses.of(problem);
    var trailers = status.getTrailers();
    call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  @Override
  public void again() {
    again.run();
  }

  /** Whether the client keeps up with the messages sent. */
  public boolean isReady() {
    return call.isReady();
  }

  /**
   * Returns whether to continue at once; if not, {@code Execution.resume} follows on a worker once
   * the client has read.
   */
  public boolean keepsUp(Execution running) {
    if (call.isReady()) {
      return true;
    }
    whenReady =
        () ->
            callWork
                .work()
                .resume(() -> {
                  callWork.work().resumed();
                  running.resume();
                });
    callWork.work().paused();
    waiting.set(true);
    // It may have become ready in between, without a notification.
    if (call.isReady() && waiting.compareAndSet(true, false)) {
      callWork.work().resumed();
      return true;
    }
    return false;
  }

  /** Called when the client keeps up again. */
  void ready() {
    var task = whenReady;
    if (task != null && waiting.compareAndSet(true, false)) {
      task.run();
    }
  }

  /** Registers a task that runs on the call's thread each time that the client keeps up again. */
  public void whenReady(Runnable task) {
    whenReady = task;
    waiting.set(true);
  }

  /** Called when the client cancels the call. */
  public void cancel() {
    callWork.work().cancel();
  }
}
