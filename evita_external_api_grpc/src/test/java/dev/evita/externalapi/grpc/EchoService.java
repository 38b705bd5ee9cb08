// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Methods over bare bytes, written against {@link ServerCall} itself. */
public final class EchoService implements BindableService {

  /** Echoes each message as it arrives. */
  public static final MethodDescriptor<byte[], byte[]> ECHO =
      method("Echo", MethodType.BIDI_STREAMING);

  /** Sends numbered messages while the client accepts them, up to {@link #MESSAGES}. */
  public static final MethodDescriptor<byte[], byte[]> COUNT =
      method("Count", MethodType.SERVER_STREAMING);

  /** Reads a message for each permit of {@link #wanted}, and returns their number. */
  public static final MethodDescriptor<byte[], byte[]> SINK =
      method("Sink", MethodType.CLIENT_STREAMING);

  /** Sends one message and never ends. */
  public static final MethodDescriptor<byte[], byte[]> WAIT =
      method("Wait", MethodType.SERVER_STREAMING);

  /** Throws what it must not. */
  public static final MethodDescriptor<byte[], byte[]> FAIL = method("Fail", MethodType.UNARY);

  /** Sends its one message, and ends with a permit of {@link #wanted}. */
  public static final MethodDescriptor<byte[], byte[]> HOLD = method("Hold", MethodType.UNARY);

  public static final int MESSAGES = 10_000;
  public static final int BYTES = 1_000;

  /** A response header of {@link #ECHO}. */
  private static final Metadata.Key<String> OWN =
      Metadata.Key.of("x-said-by-the-service", Metadata.ASCII_STRING_MARSHALLER);

  public final AtomicInteger started = new AtomicInteger();
  public final AtomicInteger said = new AtomicInteger();

  /** The maximum stack depth in {@link #COUNT}'s {@code onReady}. */
  public final AtomicInteger depth = new AtomicInteger();

  public final Semaphore wanted = new Semaphore(0);
  public final CountDownLatch cancelled = new CountDownLatch(1);
  public final Semaphore completed = new Semaphore(0);

  /** A permit for each time that {@link #COUNT} stopped because the call was not ready. */
  public final Semaphore paused = new Semaphore(0);

  private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setFullMethodName("test.Echo/" + name)
        .setType(type)
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public ServerServiceDefinition bindService() {
    ServerCallHandler<byte[], byte[]> fail =
        (call, headers) -> {
          throw new IllegalStateException("select secret from passwords");
        };
    return ServerServiceDefinition.builder("test.Echo")
        .addMethod(ECHO, this::echo)
        .addMethod(COUNT, this::count)
        .addMethod(SINK, this::sink)
        .addMethod(WAIT, this::waitForever)
        .addMethod(FAIL, fail)
        .addMethod(HOLD, this::hold)
        .build();
  }

  private ServerCall.Listener<byte[]> hold(ServerCall<byte[], byte[]> call, Metadata headers) {
    call.request(2);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        call.sendHeaders(new Metadata());
        call.sendMessage(message);
        said.incrementAndGet();
        wanted.acquireUninterruptibly();
        call.close(Status.OK, new Metadata());
      }
    };
  }

  private ServerCall.Listener<byte[]> echo(ServerCall<byte[], byte[]> call, Metadata headers) {
    started.incrementAndGet();
    var own = new Metadata();
    own.put(OWN, "hello");
    call.sendHeaders(own);
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        call.sendMessage(message);
        call.request(1);
      }

      @Override
      public void onHalfClose() {
        call.close(Status.OK, new Metadata());
      }

      @Override
      public void onComplete() {
        completed.release();
      }

      @Override
      public void onCancel() {
        cancelled.countDown();
      }
    };
  }

  private ServerCall.Listener<byte[]> count(ServerCall<byte[], byte[]> call, Metadata headers) {
    call.sendHeaders(new Metadata());
    call.request(2);
    return new ServerCall.Listener<>() {
      @Override
      public void onReady() {
        depth.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
        while (call.isReady() && said.get() < MESSAGES) {
          var message = new byte[BYTES];
          message[0] = (byte) said.getAndIncrement();
          call.sendMessage(message);
        }
        if (said.get() == MESSAGES) {
          said.incrementAndGet();
          call.close(Status.OK, new Metadata());
        } else {
          paused.release();
        }
      }

      @Override
      public void onCancel() {
        cancelled.countDown();
      }
    };
  }

  private ServerCall.Listener<byte[]> waitForever(
      ServerCall<byte[], byte[]> call, Metadata headers) {
    call.sendHeaders(new Metadata());
    call.request(2);
    return new ServerCall.Listener<>() {
      @Override
      public void onHalfClose() {
        call.sendMessage(new byte[BYTES]);
      }

      @Override
      public void onCancel() {
        cancelled.countDown();
      }
    };
  }

  private ServerCall.Listener<byte[]> sink(ServerCall<byte[], byte[]> call, Metadata headers) {
    var reader =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() -> {
              while (!call.isCancelled()) {
                wanted.acquireUninterruptibly();
                call.request(1);
              }
            });
    reader.start();
    return new ServerCall.Listener<>() {
      private int messages;

      @Override
      public void onMessage(byte[] message) {
        messages++;
      }

      @Override
      public void onHalfClose() {
        call.sendHeaders(new Metadata());
        call.sendMessage(new byte[messages]);
        call.close(Status.OK, new Metadata());
      }
    };
  }
}
